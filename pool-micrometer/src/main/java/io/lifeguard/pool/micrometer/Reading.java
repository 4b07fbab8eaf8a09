package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was read of one pool at one moment. Immutable.
 *
 * @param now the latest snapshot
 * @param shortly a snapshot some seconds older; null when there is none
 * @param longer a snapshot about a minute older; null when everything that was recorded is recent
 * @param system what the operating system counted for the workers, in sum
 * @param findings the findings that are raised, worst first
 * @param overheadSeconds CPU time that measuring has cost; never falls
 * @param scheduledOnce tasks scheduled to run once; 0 in pools that do not schedule
 * @param scheduledRepetitively tasks scheduled to run repetitively; 0 in pools that do not schedule
 */
record Reading(
        PoolSnapshot now,
        @Nullable PoolSnapshot shortly,
        @Nullable PoolSnapshot longer,
        ThreadTimes system,
        List<Finding> findings,
        double overheadSeconds,
        long scheduledOnce,
        long scheduledRepetitively) {

    /** Applies a function of a snapshot to the latest snapshot. */
    static ToDoubleFunction<Reading> of(ToDoubleFunction<PoolSnapshot> number) {
        return reading -> number.applyAsDouble(reading.now);
    }

    /** Applies a function of the pool's limits to those in the latest snapshot. */
    static ToDoubleFunction<Reading> ofLimits(ToDoubleFunction<PoolSnapshot.Limits> number) {
        return reading -> number.applyAsDouble(reading.now.limits());
    }

    /** Applies a function of the operating system's figures to the latest of them. */
    static ToDoubleFunction<Reading> ofSystem(ToDoubleFunction<ThreadTimes> number) {
        return reading -> number.applyAsDouble(reading.system);
    }

    /** Returns what happened in the last seconds; null when there is no earlier snapshot. */
    @Nullable
    PoolWindow window() {
        return shortly == null ? null : PoolWindow.between(shortly, now).build();
    }

    /** Returns what was recorded in the last minute. */
    Distribution recent(PoolTime time) {
        Distribution all = time.of(now);
        return longer == null ? all : all.since(time.of(longer));
    }

    /** Returns the size that the worst finding with a size recommends, NaN when there is none. */
    double recommendedSize() {
        return findings.stream()
                .filter(finding -> finding.recommendedSize().isPresent())
                .mapToDouble(finding -> finding.recommendedSize().getAsInt())
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Returns when the queue will be full according to the finding {@code queue-growing}, NaN without that finding. */
    double queueFullInSeconds() {
        return findings.stream()
                .filter(finding -> finding.id().equals("queue-growing"))
                .map(finding -> finding.evidence().get("secondsLeft"))
                .filter(Number.class::isInstance)
                .mapToDouble(seconds -> ((Number) seconds).doubleValue())
                .findFirst()
                .orElse(Double.NaN);
    }
}
