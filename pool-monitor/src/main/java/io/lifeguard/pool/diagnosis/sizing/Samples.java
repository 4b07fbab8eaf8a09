package io.lifeguard.pool.diagnosis.sizing;

/** Numbers that several parts of an estimate share. Stateless. */
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
}
