package io.lifeguard.pool.benchmarks.primitives;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link PrimitivesBenchmark}. */
public final class Primitives {
    private Primitives() {}

    /**
     * Measures with JMH, and returns a Markdown table.
     *
     * @param java the command that starts the forks
     */
    public static String run(Path java) {
        try {
            return table(new Runner(new OptionsBuilder()
                            .include(PrimitivesBenchmark.class.getName())
                            .jvm(java.toString())
                            .shouldFailOnError(true)
                            .verbosity(VerboseMode.SILENT)
                            .build())
                    .run());
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH failed: " + e.getMessage(), e);
        }
    }

    private static String table(Collection<RunResult> results) {
        StringBuilder table = new StringBuilder("| step | ns | ± (99.9 %) |\n|---|---:|---:|\n");
        for (RunResult result : results) {
            Result<?> primary = result.getPrimaryResult();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f |%n",
                    primary.getLabel(),
                    primary.getScore(),
                    primary.getScoreError()));
        }
        return table.toString();
    }
}
