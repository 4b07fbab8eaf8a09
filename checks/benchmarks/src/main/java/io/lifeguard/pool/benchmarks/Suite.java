package io.lifeguard.pool.benchmarks;

import io.lifeguard.pool.benchmarks.harness.CsvReport;
import io.lifeguard.pool.benchmarks.harness.Effort;
import io.lifeguard.pool.benchmarks.harness.ForkFailedException;
import io.lifeguard.pool.benchmarks.harness.Forking.Calibration;
import io.lifeguard.pool.benchmarks.harness.Forks;
import io.lifeguard.pool.benchmarks.harness.MachineFacts;
import io.lifeguard.pool.benchmarks.harness.Options;
import io.lifeguard.pool.benchmarks.harness.Pairing;
import io.lifeguard.pool.benchmarks.harness.Report;
import io.lifeguard.pool.benchmarks.harness.Results;
import io.lifeguard.pool.benchmarks.harness.Tournament;
import io.lifeguard.pool.benchmarks.harness.UsageException;
import io.lifeguard.pool.benchmarks.primitives.Primitives;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import io.lifeguard.workbench.Conditions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The command of the benchmarks. It measures, prints and writes the tables, and returns an exit code. */
public final class Suite {
    static final int OK = 0;
    static final int GROSSLY_SLOWER = 1;
    static final int WRONG_USAGE = 2;
    static final int FAILED = 3;

    private final PrintStream out;
    private final PrintStream progress;

    Suite(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        System.exit(new Suite(System.out, System.err).run(arguments));
    }

    int run(String... arguments) {
        try {
            Options options = Options.parse(arguments);
            if (options.help()) {
                out.print(Options.HELP);
                return OK;
            }
            if (options.list()) {
                list();
                return OK;
            }
            return run(options);
        } catch (UsageException e) {
            progress.println(e.getMessage());
            return WRONG_USAGE;
        } catch (ForkFailedException | IOException e) {
            progress.println(e.getMessage());
            return FAILED;
        }
    }

    private void list() {
        out.println("Scenarios:");
        Scenarios.all().forEach(each -> out.printf("  %-38s %s%n", each.name(), each.description()));
        out.println("Rivals:");
        Rivals.all().forEach(each -> out.printf("  %-16s %s%n", each.name(), each.description()));
    }

    private int run(Options options) throws IOException {
        if (options.primitivesOnly()) {
            out.println(Primitives.run(options.java()));
            return OK;
        }
        prepare(options.out());
        Path scratch = Files.createTempDirectory("lifeguard-benchmarks");
        try {
            return measure(options, new Forks(options.java(), classPathBefore(options, scratch)));
        } finally {
            deleteFlat(scratch);
        }
    }

    private static String classPathBefore(Options options, Path scratch) throws IOException {
        return options.before().isPresent() ? Forks.classPath(options.before().get(), scratch) : "";
    }

    private static void deleteFlat(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private int measure(Options options, Forks forks) throws IOException {
        Calibration calibration = forks.calibrate();
        Path raw = file(options, calibration, ".csv");
        Results earlier =
                options.append() && Files.exists(raw) ? CsvReport.read(Files.readAllLines(raw)) : new Results();
        String added = earlier.isEmpty() ? "" : ", added to %d forks of earlier runs".formatted(earlier.size());
        Results results = new Tournament(forks, Effort.of(options), progress, earlier)
                .run(options.plan(), options.rounds(), calibration, options.freshTasks(), options.seed());
        Map<String, String> facts = MachineFacts.of(calibration.java());
        facts.put(
                "run",
                "%s, seed %d, %s tasks%s"
                        .formatted(
                                LocalDate.now(ZoneOffset.UTC),
                                options.seed(),
                                options.freshTasks() ? "fresh" : "shared",
                                added));
        if (options.plan().stream().anyMatch(Pairing::needsQuota)) {
            facts.put("quota", "made by " + Conditions.wayOfQuota());
        }
        Report report = new Report(results, facts);
        String markdown = report.markdown();
        if (options.withPrimitives()) {
            markdown += "\n## Primitives\n\n" + Primitives.run(options.java());
        }
        write(file(options, calibration, ".md"), markdown, raw, CsvReport.of(results));
        out.print(markdown);
        return options.quick() ? judge(report) : OK;
    }

    /** Checks the options before an hour of measuring rather than after it. */
    private static void prepare(Path out) throws IOException {
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new IOException("cannot create the directory '%s' for the results (--out)".formatted(out), e);
        }
    }

    private static Path file(Options options, Calibration calibration, String ending) {
        String feature = calibration.java().split("\\.", 2)[0];
        return options.out().resolve((options.quick() ? "quick-java" : "java") + feature + ending);
    }

    private void write(Path table, String markdown, Path raw, String csv) throws IOException {
        Files.writeString(table, markdown);
        Files.writeString(raw, csv);
        progress.printf("written: %s and %s%n", table, raw);
    }

    private int judge(Report report) {
        List<String> regressions = report.grossRegressions();
        if (!report.unjudged().isEmpty()) {
            progress.println("not judged, because others used the machine all the time: " + report.unjudged());
        }
        regressions.forEach(line -> progress.println("GROSSLY SLOWER: " + line));
        return regressions.isEmpty() ? OK : GROSSLY_SLOWER;
    }
}
