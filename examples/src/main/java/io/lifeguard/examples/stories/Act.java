package io.lifeguard.examples.stories;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of one run of a story. Immutable.
 *
 * @param label what distinguishes this run from the others
 * @param tasks the number of tasks done, by workers and by submitters
 * @param seconds the length of the run
 * @param snapshot the pool's last snapshot
 * @param findings the lifeguard's findings, oldest first
 * @param use the operating system's measurements
 */
record Act(String label, long tasks, double seconds, PoolSnapshot snapshot, List<Finding> findings, SystemUse use) {

    double rate() {
        return tasks / seconds;
    }

    /** Returns the first finding with one of these ids, in the order of the ids. */
    Optional<Finding> finding(String... ids) {
        return Arrays.stream(ids)
                .flatMap(id -> findings.stream().filter(finding -> finding.id().equals(id)))
                .findFirst();
    }

    /** Returns the size that the latest finding with a recommendation recommends. */
    OptionalInt recommendedSize() {
        return findings.stream()
                .filter(finding -> finding.recommendedSize().isPresent())
                .reduce((earlier, later) -> later)
                .map(Finding::recommendedSize)
                .orElse(OptionalInt.empty());
    }
}
