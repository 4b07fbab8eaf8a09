package io.lifeguard.pool.diagnosis.sizing;

/** How far the numbers of a prediction can be trusted. */
public enum Certainty {
    /** Everything was measured, and often enough. */
    GOOD,
    /** Something is a fair guess, or was measured a few times only. */
    FAIR,
    /** Something decisive is not known: good for a hint, not for a number. */
    POOR
}
