package io.lifeguard.pool.corpus.sizing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sweeps workloads, each in a virtual machine of its own. One thread only.
 *
 * @param perSize how long each size is measured in a pass
 * @param passes how often the sizes are swept
 */
public record SizingFork(Duration perSize, int passes) {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Sweeps one workload, and returns what {@link SizingResult#parse} reads. */
    public List<String> run(SizingWorkload workload) {
        try {
            Path output = Files.createTempFile("lifeguard-sizing", ".log");
            try {
                Process process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Dlifeguard.monitor=off",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SizingMain.class.getName(),
                                workload.name(),
                                Long.toString(perSize.toMillis()),
                                Integer.toString(passes))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                await(process, workload);
                return Files.readAllLines(output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sweep " + workload.name(), e);
        }
    }

    private static void await(Process process, SizingWorkload workload) throws IOException {
        try {
            if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(workload.name() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + workload.name() + " was swept", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
