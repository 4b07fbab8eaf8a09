package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.CpuQuota;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Plays a workload in a JVM of its own, with the surroundings that the workload asks for. One thread only. So what a
 * workload leaves behind (compiled code, garbage, threads in a deadlock) does not disturb the next. A quota and a stop
 * signal also need a process. A JVM costs half a second per workload.
 */
final class WorkloadJvm {

    static final String NO_QUOTA = "no control group can be made here";

    /** The system property with a directory that exists, for a flight recording of each workload. */
    private static final String RECORDINGS = "corpus.recordings";

    private static final Duration LIMIT_BEYOND_LENGTH = Duration.ofSeconds(60);
    private static final Duration SUSPENDED_AFTER = Duration.ofMillis(2_200);
    private static final Duration SUSPENDED_FOR = Duration.ofMillis(1_300);

    private final Workload workload;
    private final Class<?> main;
    private final int foreignLoad;
    private final String java;

    /**
     * Prepares a run.
     *
     * @param foreignLoad busy threads of other processes, in addition to the workload's own
     */
    WorkloadJvm(Workload workload, Class<?> main, int foreignLoad) {
        this(workload, main, foreignLoad, ChildJvm.java());
    }

    /**
     * Prepares a run.
     *
     * @param foreignLoad busy threads of other processes, in addition to the workload's own
     * @param java the program {@code java} that plays the workload
     */
    WorkloadJvm(Workload workload, Class<?> main, int foreignLoad, String java) {
        this.java = java;
        this.workload = workload;
        this.main = main;
        this.foreignLoad = foreignLoad;
    }

    /** What happens beside a running JVM, in the thread that runs it. */
    @FunctionalInterface
    interface Beside {

        /** Returns before the JVM has to end. */
        void happen(ChildJvm jvm) throws IOException;
    }

    /** Runs the main class, and returns what it printed. Empty where this machine cannot make the surroundings. */
    Optional<List<String>> run(Duration length, List<String> arguments) {
        return run(length, arguments, jvm -> {});
    }

    /** The same, while something happens beside it. */
    Optional<List<String>> run(Duration length, List<String> arguments, Beside beside) {
        OptionalDouble cores = surroundings().quota();
        if (cores.isEmpty()) {
            return Optional.of(run(length, arguments, Optional.empty(), beside));
        }
        Optional<CpuQuota> quota = CpuQuota.of(cores.getAsDouble());
        if (quota.isEmpty()) {
            return Optional.empty();
        }
        try (CpuQuota made = quota.get()) {
            return Optional.of(run(length, arguments, Optional.of(made.members()), beside));
        }
    }

    private List<String> run(Duration length, List<String> arguments, Optional<Path> group, Beside beside) {
        List<String> options = new ArrayList<>(List.of("-Dlifeguard.monitor=off"));
        options.addAll(surroundings().jvmArguments());
        Optional.ofNullable(System.getProperty(RECORDINGS))
                .map(directory -> Path.of(directory, workload.name() + ".jfr").toAbsolutePath())
                .ifPresent(file -> options.add("-D" + Watcher.RECORDING + "=" + file));
        ForeignLoad load = ForeignLoad.start(foreignLoad + surroundings().foreignLoad());
        try (ChildJvm jvm = ChildJvm.start(java(group), options, main, arguments)) {
            if (surroundings().suspended()) {
                suspend(jvm.pid());
            }
            beside.happen(jvm);
            jvm.await(length.plus(LIMIT_BEYOND_LENGTH));
            List<String> output = new ArrayList<>(jvm.output());
            if (!output.remove(ForkMain.DONE)) {
                throw new IllegalStateException(workload.name() + " failed:\n" + String.join("\n", output));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + workload.name() + ": " + e.getMessage(), e);
        } finally {
            load.close();
        }
    }

    private Workload.Surroundings surroundings() {
        return workload.surroundings();
    }

    /** A shell joins the group and then becomes the JVM, so that the JVM sees the quota from its start. */
    private List<String> java(Optional<Path> group) {
        List<String> command = new ArrayList<>();
        group.ifPresent(
                members -> command.addAll(List.of("/bin/sh", "-c", "echo $$ > " + members + " && exec \"$@\"", "sh")));
        command.add(java);
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
}
