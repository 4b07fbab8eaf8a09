package io.lifeguard.examples.fleet;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that submits at a given rate. After a delay it catches up on 0.1 s at most, so that it never submits a large
 * burst. Thread-safe.
 */
final class Feeder implements AutoCloseable {

    private static final long CATCH_UP_NANOS = 100_000_000;

    private final double perSecond;
    private final Runnable submit;
    private final Thread thread;
    private volatile boolean isClosed;

    private Feeder(String name, double perSecond, Runnable submit) {
        this.perSecond = perSecond;
        this.submit = submit;
        this.thread = new Thread(this::feed, name);
        thread.setDaemon(true);
    }

    /** Starts to submit. With an infinite {@code perSecond} it submits as fast as the pool accepts. */
    static Feeder start(String name, double perSecond, Runnable submit) {
        Feeder feeder = new Feeder(name, perSecond, submit);
        feeder.thread.start();
        return feeder;
    }

    private void feed() {
        long next = System.nanoTime();
        while (!isClosed) {
            try {
                submit.run();
            } catch (RejectedExecutionException ignored) {
                return;
            }
            next = Math.max(next, System.nanoTime() - CATCH_UP_NANOS) + pause();
            for (long left = next - System.nanoTime(); left > 0 && !isClosed; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** Returns half to one and a half times the mean, so that feeders neither coincide nor keep in step. */
    private long pause() {
        return (long) (1e9 / perSecond * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
