package io.lifeguard.pool.diagnosis;

/** How bad a finding is. */
public enum Severity {
    /** Could be better: nothing is lost by waiting. */
    INFO,
    /** Costs throughput or latency now. */
    WARNING,
    /** Work stands still, or will soon be lost. */
    CRITICAL
}
