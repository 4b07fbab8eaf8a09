package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The findings of one run of a workload, beside those that the rules raise on its windows once more. Immutable.
 *
 * @param workload the workload
 * @param live what the monitor raised, each as {@code id of pool}
 * @param recorded what the rules raised once more, in the same form
 * @param windows how many windows of all pools there were
 */
public record Replay(Workload workload, Set<String> live, Set<String> recorded, int windows) {

    private static final String WINDOWS = "@windows\t";
    private static final String AGAIN = "@again\t";

    /** Copies the sets. */
    public Replay {
        live = Set.copyOf(live);
        recorded = Set.copyOf(recorded);
    }

    /** What a fork prints of its windows. */
    static List<String> lines(JudgedAgain windows) {
        List<String> lines = new ArrayList<>();
        lines.add(WINDOWS + windows.windows());
        for (Finding each : windows.findings()) {
            if (!each.pool().equals(WarmUp.POOL)) {
                lines.add(AGAIN + each.id() + " of " + Sighting.printable(each.pool()));
            }
        }
        return lines;
    }

    static Replay of(Outcome outcome, List<String> lines) {
        Set<String> live = new TreeSet<>();
        outcome.sightings().forEach(each -> live.add(each.id() + " of " + each.pool()));
        Set<String> again = new TreeSet<>();
        int windows = 0;
        for (String line : lines) {
            if (line.startsWith(AGAIN)) {
                again.add(line.substring(AGAIN.length()));
            } else if (line.startsWith(WINDOWS)) {
                windows = Integer.parseInt(line.substring(WINDOWS.length()));
            }
        }
        return new Replay(outcome.workload(), live, again, windows);
    }

    /** Whether both found the same in the same pools. */
    public boolean isSame() {
        return live.equals(recorded);
    }

    /** Whether there were windows, without which it agrees with everything. */
    public boolean isJudged() {
        return windows > 0;
    }

    /** One line for people. */
    public String line() {
        return String.format(
                "%-40s %-9s live %s, recorded %s, %d windows",
                workload.name(),
                isSame() && isJudged() ? "same" : "DIFFERENT",
                new TreeSet<>(live),
                new TreeSet<>(recorded),
                windows);
    }
}
