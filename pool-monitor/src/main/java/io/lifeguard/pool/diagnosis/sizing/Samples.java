package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.ArrayList;
import java.util.List;

/** Numbers and sums that several parts of an estimate share. Stateless. */
final class Samples {

    /**
     * Tasks of a window, with fewer of which it shows nothing. A judgement: the mean of 5 exponential times has a
     * standard error of 45 %, and with fewer the longest task decides about the mean.
     */
    static final int FEWEST_TASKS = 5;

    /**
     * Share of the CPUs in use, from which on tasks wait for a CPU. On two CPUs they wait 1.8 times as long as they
     * compute at this load, and 0.9 times if all compute for equally long (M/M/2: ρ² ÷ (1 - ρ²)).
     */
    static final double FULL = 0.8;

    /**
     * Share of the CPUs, below which it is not said what else uses them. A judgement: the size that fills the rest
     * differs by a tenth.
     */
    static final double WORTH_SAYING = 0.1;

    private Samples() {}

    /**
     * {@return the coefficient of variation: the standard deviation divided by the mean}
     *
     * @param values at least two
     * @param otherwise the result where the mean is not positive
     */
    static double variation(List<Double> values, double otherwise) {
        double mean = 0;
        double squares = 0;
        for (double value : values) {
            mean += value / values.size();
        }
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return mean <= 0 ? otherwise : Math.sqrt(squares / (values.size() - 1)) / mean;
    }

    /** {@return a window, those before it, and the minutes before these} */
    static List<PoolWindow> history(PoolWindow window) {
        List<PoolWindow> all = new ArrayList<>(window.parts(window.windows()));
        all.addAll(window.minutes());
        return all;
    }
}
