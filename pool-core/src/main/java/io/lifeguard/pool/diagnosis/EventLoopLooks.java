package io.lifeguard.pool.diagnosis;

import java.time.Instant;
import java.util.List;

/**
 * What an event loop was seen to do in the latest windows. Immutable.
 *
 * @param thread its thread's name
 * @param end when the latest window ended
 * @param looks how often it was looked at
 * @param held how often it was then held up: neither computing nor waiting for events, but waiting for something else inside a handler
 * @param doing what it did when it was held up, the last time
 * @param stack its stack then, top first; empty when it never was
 */
record EventLoopLooks(String thread, Instant end, int looks, int held, Doing doing, List<StackTraceElement> stack) {

    EventLoopLooks {
        stack = List.copyOf(stack);
    }
}
