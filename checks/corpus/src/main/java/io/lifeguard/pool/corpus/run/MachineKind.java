package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.Machine;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The machines that are made from one, by competing with the workload or by limiting it. */
public enum MachineKind {
    /** Nothing is changed. */
    QUIET,
    /** Four processes of the same priority compute all the time. */
    BESIDE,
    /** The JVM runs on one CPU. */
    ONE_CPU,
    /** The JVM gets half a CPU. */
    QUOTA,
    /** The JVM has only its simpler compiler, and its code stays slow. */
    SLOW_COMPILER;

    /** The conditions. */
    public Machine machine() {
        return switch (this) {
            case QUIET -> Machine.UNCHANGED;
            case BESIDE -> Machine.UNCHANGED.beside(4);
            case ONE_CPU -> Machine.UNCHANGED.onCpus("0");
            case QUOTA -> Machine.UNCHANGED.limitedTo(0.5);
            case SLOW_COMPILER -> Machine.UNCHANGED.with("-XX:TieredStopAtLevel=1");
        };
    }

    /** The workload with what may also be true of it here: a quota of half a CPU stops many of them. */
    public Workload labelled(Workload workload) {
        return this == QUOTA ? workload.allowing("cpu-throttled") : workload;
    }

    /** The name on the command line and in reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Parses names that are separated by commas.
     *
     * @throws IllegalArgumentException if one is unknown
     */
    public static List<MachineKind> parse(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> named(name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "there is no machine \"" + name + "\"; there are: " + labels())))
                .distinct()
                .toList();
    }

    /** All names. */
    public static String labels() {
        return Arrays.stream(values()).map(MachineKind::label).collect(Collectors.joining(", "));
    }

    private static Optional<MachineKind> named(String name) {
        return Arrays.stream(values()).filter(kind -> kind.label().equals(name)).findFirst();
    }
}
