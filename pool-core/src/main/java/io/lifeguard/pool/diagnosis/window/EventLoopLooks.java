package io.lifeguard.pool.diagnosis.window;

import java.util.List;
import java.util.Objects;

/**
 * What an event loop was seen to do in the latest windows. Immutable.
 *
 * @param looks how often the loop was looked at, not negative
 * @param held how often a handler held it up then: it neither computed nor waited for events, but waited for something
 *     else
 * @param doing what the loop did when it was last held up, not null; {@link Doing#IDLE} when it never was
 * @param stack the stack at that moment, top first, down to the loop's own frame; empty when it never was
 */
public record EventLoopLooks(int looks, int held, Doing doing, List<StackTraceElement> stack) {

    /** Copies the stack. */
    public EventLoopLooks {
        Objects.requireNonNull(doing, "doing must not be null");
        stack = List.copyOf(stack);
    }
}
