package io.lifeguard.examples.stories;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Random answer times. They are lognormal, as in real services: most are short, and some are much longer. Stateless.
 */
public final class Delay {

    /** The shape of the distribution. With 0.8 the slowest percent takes about 5 times the mean. */
    private static final double SIGMA = 0.8;

    private Delay() {}

    /** Returns a random time with that mean. */
    public static Duration around(Duration mean) {
        double mu = Math.log((double) mean.toNanos()) - SIGMA * SIGMA / 2;
        return Duration.ofNanos(
                (long) Math.exp(mu + SIGMA * ThreadLocalRandom.current().nextGaussian()));
    }
}
