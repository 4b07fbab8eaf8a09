package io.lifeguard.examples.stories;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Times as services take them: lognormal, most a little shorter than the mean and some much longer. Stateless. */
final class Delay {

    /** The shape: the slowest percent takes about 5 times the mean. */
    private static final double SIGMA = 0.8;

    private Delay() {}

    static Duration around(Duration mean) {
        double mu = Math.log((double) mean.toNanos()) - SIGMA * SIGMA / 2;
        return Duration.ofNanos(
                (long) Math.exp(mu + SIGMA * ThreadLocalRandom.current().nextGaussian()));
    }
}
