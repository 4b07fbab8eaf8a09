package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.looks.Standing;
import io.lifeguard.pool.corpus.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The findings of one run of a workload. Immutable.
 *
 * @param workload the workload
 * @param sightings what was raised, in order; a finding of several pools, or raised again, is there several times
 * @param notRun why it could not be run on this machine; empty when it was run
 * @param log what else the run printed, for people
 */
public record Outcome(Workload workload, List<Sighting> sightings, String notRun, List<String> log) {

    /** The window in which a finding must be raised at the latest. */
    public static final int WINDOWS_TO_DETECTION = 10;

    /**
     * The same for what is known only after 2 s of the clock, however short the windows are: a standstill after 2 s to
     * 4 s, and growth once a queue has grown for 2 s.
     */
    private static final Map<String, Integer> LATER = Map.of("stands-still", 24, "queue-growing", 20);

    /** Copies the lists. */
    public Outcome {
        sightings = List.copyOf(sightings);
        log = List.copyOf(log);
    }

    static Outcome notRun(Workload workload, String why) {
        return new Outcome(workload, List.of(), why, List.of());
    }

    /** Whether the workload was run. */
    public boolean wasRun() {
        return notRun.isEmpty();
    }

    /** The ids that were raised, right or wrong. */
    public Set<String> found() {
        Set<String> ids = new TreeSet<>();
        sightings.forEach(sighting -> ids.add(sighting.id()));
        ids.remove(Standing.LEAST);
        return ids;
    }

    /** The ids that the label requires and that were not raised in time. */
    public Set<String> missed() {
        Set<String> ids = new TreeSet<>(wasRun() ? workload.must() : Set.of());
        ids.removeIf(id -> windowsTo(id).orElse(Integer.MAX_VALUE) <= LATER.getOrDefault(id, WINDOWS_TO_DETECTION));
        return ids;
    }

    /** The ids that were raised and that the label does not allow. */
    public Set<String> falseFindings() {
        Set<String> ids = found();
        ids.removeAll(workload.must());
        ids.removeAll(workload.may());
        return ids;
    }

    /** The window in which a finding was first raised. */
    public Optional<Integer> windowsTo(String id) {
        return sightings.stream()
                .filter(sighting -> sighting.id().equals(id))
                .map(Sighting::window)
                .findFirst();
    }

    /** Whether the findings are those of the label. */
    public boolean isRight() {
        return missed().isEmpty() && falseFindings().isEmpty();
    }
}
