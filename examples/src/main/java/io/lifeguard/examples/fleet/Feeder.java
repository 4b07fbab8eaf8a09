package io.lifeguard.examples.fleet;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A dispatcher: submits so many times a second, whatever the pool thinks of it. It makes up for a tenth of a second in which it was held
 * up, and not for more. Thread-safe.
 */
final class Feeder implements AutoCloseable {

    private static final long MADE_UP_NANOS = 100_000_000;

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

    /** Starts feeding, as fast as the submitter is let when {@code perSecond} is infinite. */
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
            } catch (RejectedExecutionException isOver) {
                return;
            }
            next = Math.max(next, System.nanoTime() - MADE_UP_NANOS) + pause();
            for (long left = next - System.nanoTime(); left > 0 && !isClosed; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** Between half and one and a half times the mean: no two arrivals at once, and no beat. */
    private long pause() {
        return (long) (1e9 / perSecond * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
