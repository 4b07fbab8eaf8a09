package io.lifeguard.examples.micronaut;

import java.util.concurrent.TimeUnit;

/** What the requests do. Stateless. */
final class Work {

    private static final int COMPUTATIONS = 20_000_000;

    private Work() {}

    /** Waits, as for another system. */
    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return a number that takes tens of milliseconds of CPU time} */
    static String compute() {
        long sum = 0;
        for (int i = 0; i < COMPUTATIONS; i++) {
            sum = sum * 31 + (i ^ sum >>> 7);
        }
        return Long.toString(sum);
    }
}
