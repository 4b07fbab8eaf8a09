package io.lifeguard.examples.quarkus;

import java.util.concurrent.TimeUnit;

/** What the requests do. Stateless. */
final class Work {

    private Work() {}

    /** Waits, as for another system. */
    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
