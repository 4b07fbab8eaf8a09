package io.lifeguard.examples.jaraudit;

import java.time.Duration;
import java.util.Random;

/**
 * The time that the catalogue takes for each answer. It is lognormal, as in real services: most answers are a little
 * faster than the mean, and some are much slower. The answer about a given jar always takes the same time, so that
 * every run has the same work. Immutable.
 */
final class Delays {

    /** The shape of the distribution. With 0.8 the slowest percent takes about 5 times the mean. */
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

    /** Returns the time that the answer about a jar takes. */
    long nanosFor(String sha1) {
        if (none) {
            return 0;
        }
        long seed = Long.parseUnsignedLong(sha1.substring(0, 16), 16);
        return (long) Math.exp(mu + SIGMA * new Random(seed).nextGaussian());
    }
}
