package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/**
 * Sweeps workloads over sizes, each workload in a JVM of its own. One thread only.
 *
 * @param perSize how long each size is measured in a pass
 * @param passes how often the sizes are swept
 */
public record SizingFork(Duration perSize, int passes) {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Sweeps one workload, and returns the lines that {@link SizingResult#parse} reads. */
    public List<String> run(SizingWorkload workload) {
        return run(
                workload,
                SizingMain.class,
                List.of(workload.name(), Long.toString(perSize.toMillis()), Integer.toString(passes)));
    }

    /**
     * Follows the advice for one workload, and returns the lines that {@link AdvisedResult#parse} reads.
     *
     * @param advised how long the advice is awaited at each of two sizes
     * @param isOutside whether a plain pool is watched from outside, instead of a pool that watches itself
     */
    public List<String> follow(SizingWorkload workload, Duration advised, boolean isOutside) {
        return run(
                workload,
                AdvisedMain.class,
                List.of(
                        workload.name(),
                        Long.toString(advised.toMillis()),
                        Long.toString(perSize.toMillis()),
                        Integer.toString(passes),
                        Boolean.toString(isOutside)));
    }

    private List<String> run(SizingWorkload workload, Class<?> main, List<String> arguments) {
        try (ChildJvm jvm =
                ChildJvm.start(List.of(ChildJvm.java()), List.of("-Dlifeguard.monitor=off"), main, arguments)) {
            jvm.await(LIMIT);
            return jvm.output();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sweep " + workload.name() + ": " + e.getMessage(), e);
        }
    }
}
