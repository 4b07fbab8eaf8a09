package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What is known of one pool of another JVM at one moment. Immutable.
 *
 * @param name what the names of its threads have in common
 * @param kind the kind of pool
 * @param workers its threads in the latest dump
 * @param looks the dumps that have shown it
 * @param window the latest window; empty before the first has ended
 * @param findings the raised findings
 * @param missing what rules could not judge the latest window for want of
 */
public record PoolView(
        String name,
        PoolKind kind,
        int workers,
        long looks,
        Optional<PoolWindow> window,
        List<Finding> findings,
        Set<String> missing) {

    /** {@return the mean number of its threads that did this in the latest window; empty before the first has ended} */
    public OptionalDouble threads(Doing doing) {
        return window.map(latest ->
                        OptionalDouble.of(latest.breakdown().workers(doing).value()))
                .orElse(OptionalDouble.empty());
    }

    /** {@return whether nothing will get better by itself} */
    boolean isCritical() {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.CRITICAL);
    }

    /** {@return how many of its threads were not idle, as far as is known} */
    double busy() {
        return workers - threads(Doing.IDLE).orElse(0);
    }

    /** {@return where most of its threads that were not idle were, for instance {@code com.example.Orders.load(…)}} */
    public Optional<Share> busiestPlace() {
        return window.flatMap(latest -> latest.breakdown().shares().stream()
                .filter(share -> share.doing() != Doing.IDLE && !share.place().isEmpty())
                .findFirst());
    }
}
