package io.lifeguard.examples;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into an interrupt of one thread, and keeps the virtual machine up until that thread has cleaned up.
 * Thread-safe.
 */
final class CleanStop {

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Thread worker;
    private final CountDownLatch finished = new CountDownLatch(1);

    private CleanStop(Thread worker) {
        this.worker = worker;
    }

    /** Guards the calling thread until it calls {@link #finished()}. */
    static CleanStop ofThisThread() {
        CleanStop stop = new CleanStop(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(stop::stop, "clean-stop"));
        return stop;
    }

    /** Says that there is nothing left to interrupt. */
    void finished() {
        finished.countDown();
    }

    private void stop() {
        if (finished.getCount() == 0) {
            return;
        }
        worker.interrupt();
        try {
            finished.await(GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }
}
