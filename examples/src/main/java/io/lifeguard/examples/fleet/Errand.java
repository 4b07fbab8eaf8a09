package io.lifeguard.examples.fleet;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * What most services do all day: a little work for the processor, and then the wait for an answer from elsewhere, which takes now more, now less
 * (exponential). Immutable, thread-safe.
 */
final class Errand implements Runnable {

    private static final byte[] LETTER = new byte[32 * 1_024];

    private final Duration mean;

    /** Waits for that long in the mean. */
    Errand(Duration mean) {
        this.mean = mean;
    }

    @Override
    public void run() {
        try {
            MessageDigest.getInstance("SHA-256").update(LETTER);
            double times = -Math.log(1 - ThreadLocalRandom.current().nextDouble());
            TimeUnit.NANOSECONDS.sleep((long) (times * mean.toNanos()));
        } catch (InterruptedException isOver) {
            Thread.currentThread().interrupt();
        } catch (NoSuchAlgorithmException everyPlatformHasIt) {
            throw new IllegalStateException(everyPlatformHasIt);
        }
    }
}
