package io.lifeguard.pool.corpus.work;

import java.util.concurrent.ThreadLocalRandom;

/** Random sizes of tasks and gaps between arrivals. Stateless. */
public final class Randomness {

    private Randomness() {}

    /** Exponential with the given mean, as the gaps between independent arrivals are. */
    public static double exponential(double mean) {
        return -mean * Math.log(1 - ThreadLocalRandom.current().nextDouble());
    }

    /** Lognormal with the given mean: many short and few long times, as service times are. */
    public static double lognormal(double mean, double sigma) {
        double normal = ThreadLocalRandom.current().nextGaussian();
        return mean * Math.exp(sigma * normal - sigma * sigma / 2);
    }

    /** True with the given probability. */
    public static boolean chance(double probability) {
        return ThreadLocalRandom.current().nextDouble() < probability;
    }
}
