package io.lifeguard.pool.queue;

import java.util.concurrent.locks.LockSupport;

/** Waits for another thread that is about to fill or to clear a slot. */
final class Pause {
    private static final int SPINS = 32;
    private static final int YIELDS = 200;
    private static final long PARK_NANOS = 20_000;

    private Pause() {}

    /**
     * Waits a little, longer each time: the other thread may have lost its processor.
     *
     * @param times how often the caller waited already
     * @return the number to pass next time
     */
    static int once(int times) {
        if (times < SPINS) {
            Thread.onSpinWait();
        } else if (times >= SPINS + YIELDS || !Yielding.SHARED.once()) {
            // Parked: a thread of a higher priority would otherwise keep the other off the processor forever.
            LockSupport.parkNanos(PARK_NANOS);
        }
        return times + 1;
    }
}
