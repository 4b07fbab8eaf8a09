package io.lifeguard.pool.diagnosis.bottleneck;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.time.Duration;

/**
 * What all verdicts about one window have in common. Immutable.
 *
 * @param usual how long windows are meant to be
 * @param bottleneck what limits the pool's throughput, when that is firmly decided; unknown otherwise
 * @param mayRaise false in the grace period of a new pool, in which findings are suspected only
 * @param isFull whether tasks waited for workers that were all busy
 */
public record Circumstances(Duration length, Duration usual, Bottleneck bottleneck, boolean mayRaise, boolean isFull) {

    public double windows() {
        return (double) length.toNanos() / usual.toNanos();
    }

    public boolean isAnotherBottleneckThan(Bottleneck before) {
        return bottleneck != Bottleneck.UNKNOWN && bottleneck != before;
    }

    /** {@return a look that lasted no longer than usual} What stood still for an hour was not unchecked for an hour. */
    public Circumstances asUsual() {
        return length.compareTo(usual) <= 0 ? this : new Circumstances(usual, usual, bottleneck, mayRaise, isFull);
    }
}
