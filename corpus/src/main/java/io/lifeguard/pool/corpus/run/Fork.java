package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs workloads, each in a virtual machine of its own: what one leaves behind (compiled code, garbage, threads in a deadlock) does not
 * disturb the next, the process is what a quota and a stop signal act upon, and half a second each is little. One thread only.
 *
 * @param length how long a workload plays
 * @param window how long the monitor's windows are
 * @param foreignLoad busy threads of other processes, beyond what a workload brings itself
 * @param verbose whether to keep the windows as well
 */
public record Fork(Duration length, Duration window, int foreignLoad, boolean verbose) {

    private static final Duration LIMIT_BEYOND_LENGTH = Duration.ofSeconds(60);
    private static final Duration SUSPENDED_AFTER = Duration.ofMillis(2_200);
    private static final Duration SUSPENDED_FOR = Duration.ofMillis(1_300);

    /** Runs a workload once. */
    public Outcome run(Workload workload) {
        Workload.Surroundings surroundings = workload.surroundings();
        if (surroundings.quota().isEmpty()) {
            return run(workload, Optional.empty());
        }
        Optional<CpuQuota> quota = CpuQuota.of(surroundings.quota().getAsDouble());
        if (quota.isEmpty()) {
            return Outcome.notRun(workload, "no control group can be made here");
        }
        try (CpuQuota made = quota.get()) {
            return run(workload, Optional.of(made.members()));
        }
    }

    private Outcome run(Workload workload, Optional<Path> group) {
        ForeignLoad load =
                ForeignLoad.start(foreignLoad + workload.surroundings().foreignLoad());
        try {
            Path output = Files.createTempFile("lifeguard-corpus", ".log");
            try {
                Process process = new ProcessBuilder(command(workload, group))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                await(process, workload);
                return outcome(workload, Files.readAllLines(output));
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + workload.name(), e);
        } finally {
            load.close();
        }
    }

    private List<String> command(Workload workload, Optional<Path> group) {
        List<String> command = new ArrayList<>();
        // A shell joins the group and then becomes the virtual machine, so that this sees the quota from its start.
        group.ifPresent(
                members -> command.addAll(List.of("/bin/sh", "-c", "echo $$ > " + members + " && exec \"$@\"", "sh")));
        command.add(java());
        command.addAll(List.of("-Dlifeguard.monitor=off"));
        command.addAll(workload.surroundings().jvmArguments());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                ForkMain.class.getName(),
                workload.name(),
                Long.toString(length.toMillis()),
                Long.toString(window.toMillis()),
                Boolean.toString(verbose)));
        return command;
    }

    private void await(Process process, Workload workload) throws IOException {
        try {
            if (workload.surroundings().suspended()) {
                Waiting.nanos(SUSPENDED_AFTER.toNanos());
                signal(process, "-STOP");
                Waiting.nanos(SUSPENDED_FOR.toNanos());
                signal(process, "-CONT");
            }
            if (!process.waitFor(length.plus(LIMIT_BEYOND_LENGTH).toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(workload.name() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + workload.name() + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    private static Outcome outcome(Workload workload, List<String> lines) {
        if (!lines.contains(ForkMain.DONE)) {
            throw new IllegalStateException(workload.name() + " failed:\n" + String.join("\n", lines));
        }
        List<Sighting> sightings =
                lines.stream().flatMap(line -> Sighting.parse(line).stream()).toList();
        List<String> log = lines.stream()
                .filter(line -> Sighting.parse(line).isEmpty() && !line.equals(ForkMain.DONE))
                .toList();
        return new Outcome(workload, sightings, "", log);
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
