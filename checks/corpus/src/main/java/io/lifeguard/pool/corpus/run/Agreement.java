package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks that the findings about each window of a pool agree with its bottleneck. Stateless.
 *
 * <p>No finding that explains a bottleneck may be found under another one. A bottleneck that the window itself shows
 * must be explained by a finding. The CPUs and the world outside are exempt from that, because they also limit a pool
 * of the right size; and so is another pool that runs the awaited tasks at once.
 */
final class Agreement {

    /** The id under which a contradiction is reported. No label allows it. */
    static final String CONTRADICTION = "contradiction";

    private static final Map<String, Set<Bottleneck>> EXPLAINED = Map.of(
            "blocked-on-io", EnumSet.of(Bottleneck.OUTSIDE),
            "cpu-saturated", EnumSet.of(Bottleneck.CPU),
            "dispatcher-runs-tasks", EnumSet.of(Bottleneck.DISPATCHER, Bottleneck.LOCK),
            "downstream-saturated", EnumSet.of(Bottleneck.LINE, Bottleneck.OUTSIDE),
            "high-system-cpu", EnumSet.of(Bottleneck.CPU, Bottleneck.LOCK),
            "lock-contention", EnumSet.of(Bottleneck.LOCK),
            "starved-by-own-tasks", EnumSet.of(Bottleneck.OWN_TASKS),
            "waits-on-another-pool", EnumSet.of(Bottleneck.OTHER_POOL));

    private static final Set<Bottleneck> MUST_BE_EXPLAINED =
            EnumSet.of(Bottleneck.OWN_TASKS, Bottleneck.LOCK, Bottleneck.LINE, Bottleneck.DISPATCHER);

    private Agreement() {}

    /** {@return the contradictions in the windows of a pool, each as a line for people} The latest window is first. */
    static List<String> contradictions(List<PoolWindow> windows, Duration usual) {
        PoolDiagnosis diagnosis = new PoolDiagnosis(finding -> {});
        List<String> contradictions = new ArrayList<>();
        for (int i = windows.size() - 1; i >= 0; i--) {
            contradictions.addAll(contradictions(diagnosis.enter(windows.get(i), usual, true)));
        }
        return contradictions;
    }

    private static List<String> contradictions(PoolWindow window) {
        Map<String, String> found = new TreeMap<>();
        for (Rule rule : PoolMonitor.standardRules()) {
            if (rule.examines() == PoolWindow.Subject.POOL) {
                rule.examine(window)
                        .finding()
                        .filter(finding -> !isOfFullPools(finding))
                        .ifPresent(finding -> found.put(finding.id(), finding.summary()));
            }
        }
        return contradictions(found, window.bottleneck(), Bottlenecks.of(window), window + ", " + window.breakdown());
    }

    /**
     * {@return the contradictions between what was found, as summaries by id, and the bottleneck that was decided}
     *
     * @param shown the bottleneck that the window itself shows; the decision may be an earlier one
     * @param window describes the window
     */
    static List<String> contradictions(Map<String, String> found, Bottleneck decided, Bottleneck shown, String window) {
        List<String> contradictions = new ArrayList<>();
        found.forEach((id, summary) -> {
            if (!EXPLAINED.getOrDefault(id, Set.of(decided)).contains(decided)) {
                contradictions.add(id + " under " + decided + ": " + summary);
            }
        });
        boolean isExplained = found.keySet().stream()
                .anyMatch(id -> EXPLAINED.getOrDefault(id, Set.of()).contains(decided));
        if (!isExplained && MUST_BE_EXPLAINED.contains(decided) && shown == decided) {
            contradictions.add(decided + " without a finding: " + window);
        }
        return contradictions;
    }

    /** Pools that wait for room in each other are counted by the pools themselves, whatever limits them otherwise. */
    private static boolean isOfFullPools(Finding finding) {
        return finding.evidence().containsKey("capacityExceeded");
    }
}
