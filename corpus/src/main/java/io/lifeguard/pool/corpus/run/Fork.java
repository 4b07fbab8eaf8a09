package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs workloads, each in a JVM of its own. One thread only. So what a workload leaves behind (compiled code, garbage,
 * threads in a deadlock) does not disturb the next. A quota and a stop signal also need a process. A JVM costs half a
 * second per workload.
 *
 * @param length how long a workload plays
 * @param window length of the monitor's windows
 * @param foreignLoad busy threads of other processes, in addition to the workload's own
 * @param verbose whether to keep the windows too
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
        List<String> options = new ArrayList<>(List.of("-Dlifeguard.monitor=off"));
        options.addAll(workload.surroundings().jvmArguments());
        List<String> arguments = List.of(
                workload.name(),
                Long.toString(length.toMillis()),
                Long.toString(window.toMillis()),
                Boolean.toString(verbose));
        try (ChildJvm jvm = ChildJvm.start(java(group), options, ForkMain.class, arguments)) {
            if (workload.surroundings().suspended()) {
                suspend(jvm.pid());
            }
            jvm.await(length.plus(LIMIT_BEYOND_LENGTH));
            return outcome(workload, jvm.output());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + workload.name() + ": " + e.getMessage(), e);
        } finally {
            load.close();
        }
    }

    /** A shell joins the group and then becomes the JVM, so that the JVM sees the quota from its start. */
    private static List<String> java(Optional<Path> group) {
        List<String> command = new ArrayList<>();
        group.ifPresent(
                members -> command.addAll(List.of("/bin/sh", "-c", "echo $$ > " + members + " && exec \"$@\"", "sh")));
        command.add(ChildJvm.java());
        return command;
    }

    private static void suspend(long pid) throws IOException {
        Waiting.nanos(SUSPENDED_AFTER.toNanos());
        signal(pid, "-STOP");
        Waiting.nanos(SUSPENDED_FOR.toNanos());
        signal(pid, "-CONT");
    }

    private static void signal(long pid, String signal) throws IOException {
        try {
            new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before kill " + signal + " was done");
        }
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
}
