package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Conditions;
import io.lifeguard.workbench.Machine;
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
import org.jspecify.annotations.Nullable;

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
    private final Machine machine;
    private final String java;

    /**
     * Prepares a run.
     *
     * @param foreignLoad busy threads of other processes, in addition to the workload's own
     * @param machine the conditions of the JVM; a quota of the workload's own counts instead of that of the machine
     */
    WorkloadJvm(Workload workload, Class<?> main, int foreignLoad, Machine machine) {
        this(workload, main, foreignLoad, machine, ChildJvm.java());
    }

    /**
     * Prepares a run.
     *
     * @param foreignLoad busy threads of other processes, in addition to the workload's own
     * @param machine the conditions of the JVM; a quota of the workload's own counts instead of that of the machine
     * @param java the program {@code java} that plays the workload
     */
    WorkloadJvm(Workload workload, Class<?> main, int foreignLoad, Machine machine, String java) {
        this.machine = machine;
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
        return run(arguments, beside, jvm -> jvm.await(length.plus(LIMIT_BEYOND_LENGTH)));
    }

    /** Runs the main class until something has happened beside it. {@return whether its surroundings could be made} */
    boolean runDuring(List<String> arguments, Beside beside) {
        return run(arguments, beside, null).isPresent();
    }

    private Optional<List<String>> run(List<String> arguments, Beside beside, @Nullable Beside end) {
        OptionalDouble own = surroundings().quota();
        Machine conditioned = own.isPresent() ? machine.limitedTo(own.getAsDouble()) : machine;
        try (Conditions conditions = Conditions.make(conditioned)) {
            // a workload with a quota of its own is about what the control group tells
            return own.isPresent() && !conditions.hasControlGroup()
                    ? Optional.empty()
                    : Optional.of(run(arguments, conditions, beside, end));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + workload.name() + ": " + e.getMessage(), e);
        }
    }

    private List<String> run(List<String> arguments, Conditions conditions, Beside beside, @Nullable Beside end)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("-Dlifeguard.monitor=off"));
        options.addAll(surroundings().jvmArguments());
        options.addAll(machine.jvmArguments());
        Optional.ofNullable(System.getProperty(RECORDINGS))
                .map(directory -> Path.of(directory, workload.name() + ".jfr").toAbsolutePath())
                .ifPresent(file -> options.add("-D" + Watcher.RECORDING + "=" + file));
        ForeignLoad load = ForeignLoad.start(foreignLoad + surroundings().foreignLoad());
        try (ChildJvm jvm = ChildJvm.start(conditions.command(java), options, main, arguments)) {
            conditions.started(jvm.pid());
            if (surroundings().suspended()) {
                suspend(jvm.pid());
            }
            beside.happen(jvm);
            if (end == null) {
                return jvm.output();
            }
            end.happen(jvm);
            List<String> output = new ArrayList<>(jvm.output());
            if (!output.remove(ForkMain.DONE)) {
                throw new IllegalStateException(workload.name() + " failed:\n" + String.join("\n", output));
            }
            return output;
        } finally {
            load.close();
        }
    }

    private Workload.Surroundings surroundings() {
        return workload.surroundings();
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
