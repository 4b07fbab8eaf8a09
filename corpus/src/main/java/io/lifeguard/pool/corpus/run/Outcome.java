package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What was found in one run of a workload. Immutable.
 *
 * @param workload which
 * @param sightings what was raised, in order; the same finding of several pools, or raised again, is several
 * @param notRun why it could not be run here; empty when it was
 * @param log what the run said beyond, for people
 */
public record Outcome(Workload workload, List<Sighting> sightings, String notRun, List<String> log) {

    /** How many windows a finding may take. */
    public static final int WINDOWS_TO_DETECTION = 10;

    /** Copies the lists. */
    public Outcome {
        sightings = List.copyOf(sightings);
        log = List.copyOf(log);
    }

    static Outcome notRun(Workload workload, String why) {
        return new Outcome(workload, List.of(), why, List.of());
    }

    /** Whether it was run at all. */
    public boolean wasRun() {
        return notRun.isEmpty();
    }

    /** The ids that were raised, whether rightly or not. */
    public Set<String> found() {
        Set<String> ids = new TreeSet<>();
        sightings.forEach(sighting -> ids.add(sighting.id()));
        return ids;
    }

    /** The ids that the label asks for and that were not raised in time. */
    public Set<String> missed() {
        Set<String> ids = new TreeSet<>(wasRun() ? workload.must() : Set.of());
        ids.removeIf(id -> windowsTo(id).orElse(Integer.MAX_VALUE) <= WINDOWS_TO_DETECTION);
        return ids;
    }

    /** The ids that were raised and that the label does not allow. */
    public Set<String> falseFindings() {
        Set<String> ids = found();
        ids.removeAll(workload.must());
        ids.removeAll(workload.may());
        return ids;
    }

    /** In which window a finding was first raised. */
    public Optional<Integer> windowsTo(String id) {
        return sightings.stream()
                .filter(sighting -> sighting.id().equals(id))
                .map(Sighting::window)
                .findFirst();
    }

    /** Whether all is as the label says. */
    public boolean isRight() {
        return missed().isEmpty() && falseFindings().isEmpty();
    }
}
