package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.window.Awaited;
import java.util.List;
import java.util.Optional;

/**
 * One look at the thread of an event loop. Immutable.
 *
 * @param nanos when it was taken, as {@link System#nanoTime}
 * @param state the thread's state
 * @param stack its stack, top first
 * @param waitsFor the class of the object that it waits for; empty when there is none
 * @param lock the lock that it waits for, as far as it is known
 * @param cpuNanos the CPU time that the thread has used; negative when it is unknown
 * @param userNanos the part of it outside of the system; negative when it is unknown
 */
record LoopLook(
        long nanos,
        Thread.State state,
        List<StackTraceElement> stack,
        String waitsFor,
        Optional<Awaited.Lock> lock,
        long cpuNanos,
        long userNanos) {}
