package io.lifeguard.browser;

import io.lifeguard.pool.report.drawing.PoolReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the pages of all sample recordings into a directory, to be looked at. */
final class WriteSamples {

    private WriteSamples() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        PoolReport.of("Jar audit", SampleRecordings.callerRuns()).write(directory.resolve("dispatcher.html"));
        PoolReport.of("Search index", SampleRecordings.crowd()).write(directory.resolve("crowd.html"));
        PoolReport.of("Hostile", SampleRecordings.hostile()).write(directory.resolve("hostile.html"));
        PoolReport.comparing(
                        "Jar audit",
                        "Caller-runs",
                        SampleRecordings.callerRuns(),
                        "Waiting",
                        SampleRecordings.waiting())
                .write(directory.resolve("compared.html"));
        PoolReport.of("A thousand workers, one hour", SampleRecordings.large(1000, 3600))
                .write(directory.resolve("large.html"));
    }
}
