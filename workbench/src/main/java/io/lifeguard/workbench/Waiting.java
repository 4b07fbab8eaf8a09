package io.lifeguard.workbench;

import java.util.concurrent.locks.LockSupport;

/** Waits without using the CPU. Stateless. */
public final class Waiting {

    private Waiting() {}

    /** Returns after this time, or when interrupted. */
    public static void nanos(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns after this time, or when interrupted. */
    public static void millis(double millis) {
        nanos((long) (millis * 1e6));
    }
}
