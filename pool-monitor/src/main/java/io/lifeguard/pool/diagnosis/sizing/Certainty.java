package io.lifeguard.pool.diagnosis.sizing;

/** How far the numbers of a prediction can be trusted. */
public enum Certainty {
    /** Everything was measured, and often enough. */
    GOOD,
    /** Something is a fair guess, or was measured only a few times. */
    FAIR,
    /** Something decisive is unknown: good for a hint, not for a number. */
    POOR
}
