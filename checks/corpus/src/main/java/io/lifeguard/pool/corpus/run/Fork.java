package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs workloads, each in a JVM of its own, and collects what was raised. One thread only.
 *
 * @param length how long a workload plays
 * @param window length of the monitor's windows
 * @param foreignLoad busy threads of other processes, in addition to the workload's own
 * @param machine the conditions of the JVMs
 * @param verbose whether to keep the windows too
 */
public record Fork(Duration length, Duration window, int foreignLoad, Machine machine, boolean verbose) {

    /** Runs a workload once. */
    public Outcome run(Workload workload) {
        return run(workload, "")
                .map(lines -> outcome(workload, lines))
                .orElseGet(() -> Outcome.notRun(workload, WorkloadJvm.NO_QUOTA));
    }

    /**
     * Runs a workload once, records it, and judges the recording. Empty where this machine cannot run it.
     *
     * @throws IOException if the recording cannot be written or read
     */
    public Optional<Replay> replay(Workload workload) throws IOException {
        Path file = Files.createTempFile("corpus-", ".jfr");
        try {
            Optional<List<String>> lines = run(workload, file.toString());
            return lines.isEmpty() ? Optional.empty() : Optional.of(Replay.of(outcome(workload, lines.get()), file));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Optional<List<String>> run(Workload workload, String recording) {
        List<String> arguments = List.of(
                workload.name(),
                Long.toString(length.toMillis()),
                Long.toString(window.toMillis()),
                Boolean.toString(verbose),
                recording);
        return new WorkloadJvm(workload, ForkMain.class, foreignLoad, machine).run(length, arguments);
    }

    private static Outcome outcome(Workload workload, List<String> lines) {
        List<Sighting> sightings =
                lines.stream().flatMap(line -> Sighting.parse(line).stream()).toList();
        List<String> log =
                lines.stream().filter(line -> Sighting.parse(line).isEmpty()).toList();
        return new Outcome(workload, sightings, "", log);
    }
}
