package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.tools.diagnosis.RecordingDiagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The findings of one run of a workload, beside those that the rules raise on the recording of that run. Immutable.
 *
 * @param workload the workload
 * @param live what the monitor raised, each as {@code id of pool}
 * @param recorded what the rules raised on the recording, in the same form
 * @param windows how many windows of all pools the recording held
 * @param unread how many of them could not be read
 * @param bytes how long the recording was
 */
public record Replay(Workload workload, Set<String> live, Set<String> recorded, int windows, int unread, long bytes) {

    /** Copies the sets. */
    public Replay {
        live = Set.copyOf(live);
        recorded = Set.copyOf(recorded);
    }

    static Replay of(Outcome outcome, Path recording) throws IOException {
        RecordingDiagnosis diagnosis = RecordingDiagnosis.of(recording);
        Set<String> live = new TreeSet<>();
        outcome.sightings().forEach(each -> live.add(each.id() + " of " + each.pool()));
        Set<String> recorded = new TreeSet<>();
        for (RecordingDiagnosis.Raised each : diagnosis.findings()) {
            String pool = each.finding().pool();
            if (!pool.equals(WarmUp.POOL)) {
                recorded.add(each.finding().id() + " of " + Sighting.printable(pool));
            }
        }
        return new Replay(
                outcome.workload(),
                live,
                recorded,
                diagnosis.windows(),
                diagnosis.unreadWindows(),
                Files.size(recording));
    }

    /** Whether both found the same in the same pools. */
    public boolean isSame() {
        return live.equals(recorded);
    }

    /** Whether the recording holds windows, without which it agrees with everything. */
    public boolean isJudged() {
        return windows > 0;
    }

    /** One line for people. */
    public String line() {
        return String.format(
                "%-40s %-9s live %s, recorded %s, %d windows, %d unread, %d KiB",
                workload.name(),
                isSame() && isJudged() ? "same" : "DIFFERENT",
                new TreeSet<>(live),
                new TreeSet<>(recorded),
                windows,
                unread,
                bytes >> 10);
    }
}
