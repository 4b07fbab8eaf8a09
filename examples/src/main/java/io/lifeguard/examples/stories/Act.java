package io.lifeguard.examples.stories;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one run of a story has shown. Immutable.
 *
 * @param label what was special about it
 * @param tasks how many tasks were done, by whomever
 * @param seconds how long that took
 * @param snapshot the pool's last snapshot
 * @param findings what the lifeguard raised, in that order
 * @param use what the operating system saw
 */
record Act(String label, long tasks, double seconds, PoolSnapshot snapshot, List<Finding> findings, SystemUse use) {

    double rate() {
        return tasks / seconds;
    }

    /** The first finding that has one of these ids, in the order of the ids. */
    Optional<Finding> finding(String... ids) {
        return Arrays.stream(ids)
                .flatMap(id -> findings.stream().filter(finding -> finding.id().equals(id)))
                .findFirst();
    }

    /** The size that the latest finding with such an advice recommends. */
    OptionalInt recommendedSize() {
        return findings.stream()
                .filter(finding -> finding.recommendedSize().isPresent())
                .reduce((earlier, later) -> later)
                .map(Finding::recommendedSize)
                .orElse(OptionalInt.empty());
    }
}
