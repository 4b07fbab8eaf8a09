package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs workloads, each in a JVM of its own, and collects what was raised. One thread only.
 *
 * @param length how long a workload plays
 * @param patience how much longer a sick one may play, whose findings are not complete; with any, it ends soon after
 *     they are
 * @param window length of the monitor's windows
 * @param foreignLoad busy threads of other processes, in addition to the workload's own
 * @param machine the conditions of the JVMs
 * @param verbose whether to keep the windows too
 */
public record Fork(
        Duration length, Duration patience, Duration window, int foreignLoad, Machine machine, boolean verbose) {

    /** Runs a workload once. */
    public Outcome run(Workload workload) {
        return lines(workload)
                .map(lines -> outcome(workload, lines))
                .orElseGet(() -> Outcome.notRun(workload, WorkloadJvm.NO_QUOTA));
    }

    private Optional<List<String>> lines(Workload workload) {
        List<String> arguments = List.of(
                workload.name(),
                Long.toString(length.toMillis()),
                Long.toString(patience.toMillis()),
                Long.toString(window.toMillis()),
                Boolean.toString(verbose));
        return new WorkloadJvm(workload, ForkMain.class, foreignLoad, machine).run(length.plus(patience), arguments);
    }

    private static Outcome outcome(Workload workload, List<String> lines) {
        List<Sighting> sightings =
                lines.stream().flatMap(line -> Sighting.parse(line).stream()).toList();
        List<String> log =
                lines.stream().filter(line -> Sighting.parse(line).isEmpty()).toList();
        return new Outcome(workload, sightings, "", log);
    }
}
