package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolWindow;
import io.lifeguard.pool.diagnosis.ThreadTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one pool at one moment. Immutable.
 *
 * @param now the latest snapshot
 * @param shortly an earlier one, to compare with what happened very recently; null when there is none
 * @param longer an earlier one, to compare with what happened recently; null when all that was recorded is recent
 * @param system what the operating system says of the workers, in sum
 * @param findings those that are raised, worst first
 * @param overheadSeconds CPU time that measuring has cost; only ever grows
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

    /** What happened very recently; null when there is nothing to compare with. */
    @Nullable
    PoolWindow window() {
        return shortly == null ? null : PoolWindow.between(shortly, now).build();
    }

    /** What was recorded recently. */
    Distribution recent(PoolTime time) {
        Distribution all = time.of(now);
        return longer == null ? all : all.since(time.of(longer));
    }

    /** The worst finding that names a size decides. */
    double recommendedSize() {
        return findings.stream()
                .filter(finding -> finding.recommendedSize().isPresent())
                .mapToDouble(finding -> finding.recommendedSize().getAsInt())
                .findFirst()
                .orElse(Double.NaN);
    }

    /** What the finding of a growing queue says. */
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
