package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs sick workloads for a minute or longer, each in a JVM of its own, at the monitor's default window. One thread
 * only.
 *
 * @param length how long a workload is sick
 * @param relief how long the load then is a tenth; not for a workload that stays sick with less load
 * @param isCold whether the workload begins with the JVM; otherwise the JVM is warm and has six idle pools
 * @param foreignLoad busy threads of other processes, in addition to the workload's own
 * @param machine the conditions of the JVMs
 */
public record LongFork(Duration length, Duration relief, boolean isCold, int foreignLoad, Machine machine) {

    /** Runs a workload once. Empty where this machine cannot make its surroundings. */
    public Optional<LongOutcome> run(Workload workload) {
        Duration after = workload.curable() ? relief : Duration.ZERO;
        List<String> arguments = List.of(
                workload.name(),
                Long.toString(length.toMillis()),
                Long.toString(after.toMillis()),
                Boolean.toString(isCold));
        return new WorkloadJvm(workload, LongForkMain.class, foreignLoad, machine)
                .run(length.plus(after), arguments)
                .map(Course::parse)
                .map(course ->
                        new LongOutcome(workload, course, LongForkMain.reliefMillis(course.log()), !relief.isZero()));
    }
}
