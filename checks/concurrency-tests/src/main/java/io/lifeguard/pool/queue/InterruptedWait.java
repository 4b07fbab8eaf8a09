package io.lifeguard.pool.queue;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A wait of one thread that another thread interrupts, before or after it ends the wait, at random. */
final class InterruptedWait {

    private final boolean interruptFirst = ThreadLocalRandom.current().nextBoolean();
    private volatile @Nullable Thread waiting;
    private volatile boolean interrupted;

    /** Called by the thread that is going to wait. */
    void begin() {
        waiting = Thread.currentThread();
    }

    /**
     * Called by the same thread after its wait. Returns whether it is interrupted, and clears the interrupt flag, which
     * must not leak into the next test.
     */
    boolean end() {
        while (!interrupted) {
            Thread.onSpinWait();
        }
        return Thread.interrupted();
    }

    /** Called by the other thread. */
    void interruptAnd(Runnable endWait) {
        Thread thread = waiting;
        while (thread == null) {
            thread = waiting;
        }
        if (interruptFirst) {
            thread.interrupt();
            endWait.run();
        } else {
            endWait.run();
            thread.interrupt();
        }
        interrupted = true;
    }
}
