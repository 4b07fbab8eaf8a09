package io.lifeguard.pool.corpus.real;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.real.systems.Healthy;
import io.lifeguard.pool.corpus.real.systems.HealthyPrograms;
import io.lifeguard.pool.corpus.real.systems.RealSystem;
import io.lifeguard.pool.corpus.real.systems.Systems;
import io.lifeguard.pool.corpus.run.ForeignLoad;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Conditions;
import io.lifeguard.workbench.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of a system in one of its forms. Immutable.
 *
 * @param course the findings from beginning to end, from before the load came
 * @param perSecond what was done per second in the second half
 */
record RealRun(Course course, double perSecond) {

    private static final Duration LIMIT_BEYOND_LENGTH = Duration.ofSeconds(60);

    /**
     * Runs a system in a JVM of its own.
     *
     * @param form {@link RealForkMain#SICK} or {@link RealForkMain#CURED}
     * @param machine the conditions of the JVM
     * @param foreignLoad busy threads of another process
     * @param isOutside whether {@code lifeguard watch} looks at it, instead of its own monitor
     */
    static RealRun of(
            RealSystem system, String form, Duration length, Machine machine, int foreignLoad, boolean isOutside) {
        ForeignLoad load = ForeignLoad.start(foreignLoad);
        try {
            List<String> options = new ArrayList<>();
            if (isOutside) {
                options.addAll(List.of("-Dlifeguard.monitor=off", "-D" + RealForkMain.OUTSIDE + "=true"));
            }
            Optional.ofNullable(System.getProperty(Systems.PAYARA))
                    .ifPresent(jar -> options.add("-D" + Systems.PAYARA + "=" + jar));
            return of(machine, options, List.of(system.name(), form), length);
        } finally {
            load.close();
        }
    }

    /** Runs a healthy program in a JVM of its own. */
    static RealRun of(Healthy program, Duration length) {
        List<String> options = new ArrayList<>(program.jvmArguments());
        Optional.ofNullable(System.getProperty(HealthyPrograms.SHOP))
                .ifPresent(jar -> options.add("-D" + HealthyPrograms.SHOP + "=" + jar));
        return of(Machine.UNCHANGED, options, List.of(program.name(), RealForkMain.HEALTHY), length);
    }

    private static RealRun of(Machine machine, List<String> own, List<String> what, Duration length) {
        List<String> options = new ArrayList<>(machine.jvmArguments());
        options.addAll(own);
        List<String> arguments = new ArrayList<>(what);
        arguments.add(Long.toString(length.toMillis()));
        try (Conditions conditions = Conditions.make(machine);
                ChildJvm jvm =
                        ChildJvm.start(conditions.command(ChildJvm.java()), options, RealForkMain.class, arguments)) {
            conditions.started(jvm.pid());
            jvm.await(length.plus(LIMIT_BEYOND_LENGTH));
            return parse(jvm.output());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + what + ": " + e.getMessage(), e);
        }
    }

    /** What the systems and the library have printed. */
    List<String> log() {
        return course.log().stream()
                .filter(line -> !line.startsWith(RealForkMain.THROUGHPUT))
                .toList();
    }

    static RealRun parse(List<String> lines) {
        Course course = Course.parse(lines);
        double perSecond = course.log().stream()
                .filter(line -> line.startsWith(RealForkMain.THROUGHPUT))
                .mapToDouble(line -> Double.parseDouble(line.substring(RealForkMain.THROUGHPUT.length())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the run failed:\n" + String.join("\n", lines)));
        return new RealRun(course, perSecond);
    }
}
