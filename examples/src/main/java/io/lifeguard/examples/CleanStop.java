package io.lifeguard.examples;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into an interrupt of one thread, and keeps the JVM alive until that thread has cleaned up. Thread-safe.
 */
final class CleanStop {

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Thread worker;
    private final CountDownLatch finished = new CountDownLatch(1);

    private CleanStop(Thread worker) {
        this.worker = worker;
    }

    /** Makes Ctrl-C interrupt the calling thread until that thread calls {@link #finished()}. */
    static CleanStop ofThisThread() {
        CleanStop stop = new CleanStop(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(stop::stop, "clean-stop"));
        return stop;
    }

    /** Lets the JVM exit: the thread has cleaned up. */
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
