package io.lifeguard.examples.jaraudit;

import java.time.Duration;
import java.util.Random;

/**
 * How long the catalogue takes, as services do: lognormal, most answers a little faster than the mean and some much
 * slower. The same jar always takes the same time, so that every run has the same work. Immutable.
 */
final class Delays {

    /** The shape: the slowest percent takes about 5 times the mean. */
    private static final double SIGMA = 0.8;

    private final double mu;
    private final boolean none;

    private Delays(Duration mean) {
        this.none = mean.isZero();
        this.mu = Math.log((double) mean.toNanos()) - SIGMA * SIGMA / 2;
    }

    static Delays withMean(Duration mean) {
        return new Delays(mean);
    }

    /** Returns how long the question about a jar takes. */
    long nanosFor(String sha1) {
        if (none) {
            return 0;
        }
        long seed = Long.parseUnsignedLong(sha1.substring(0, 16), 16);
        return (long) Math.exp(mu + SIGMA * new Random(seed).nextGaussian());
    }
}
