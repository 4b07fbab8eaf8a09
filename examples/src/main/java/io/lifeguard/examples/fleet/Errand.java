package io.lifeguard.examples.fleet;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A task that computes a little and then waits, as a task of a service waits for an answer. The waiting times are
 * exponentially distributed. Immutable.
 */
final class Errand implements Runnable {

    private static final byte[] BLOCK = new byte[32 * 1_024];

    private final Duration mean;

    /** Creates a task with that mean waiting time. */
    Errand(Duration mean) {
        this.mean = mean;
    }

    @Override
    public void run() {
        try {
            MessageDigest.getInstance("SHA-256").update(BLOCK);
            double times = -Math.log(1 - ThreadLocalRandom.current().nextDouble());
            TimeUnit.NANOSECONDS.sleep((long) (times * mean.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
