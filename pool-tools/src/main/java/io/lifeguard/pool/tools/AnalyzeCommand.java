package io.lifeguard.pool.tools;

import io.lifeguard.pool.schema.Json;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.analyze.Analysis;
import io.lifeguard.pool.tools.analyze.AnalysisJson;
import io.lifeguard.pool.tools.analyze.FlightRecording;
import io.lifeguard.pool.tools.analyze.RecordedFinding;
import io.lifeguard.pool.tools.analyze.RecordedPools;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.Certainty;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.WatchText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code analyze}: says what was wrong with the pools in flight recordings. Not thread-safe. */
@Command(
        name = "analyze",
        header = "Says what was wrong with the thread pools of a program, from its flight recordings.",
        description = {
            "",
            "The program needs no library. Reads recordings of the JDK (settings 'default' and 'profile') and of"
                    + " async-profiler. Where the program has Lifeguard, what that has found is shown.",
            ""
        },
        exitCodeList = {
            "0:nothing was found",
            "1:there were findings",
            "2:a recording could not be read, or shows no pool, the page could not be written, or the arguments are"
                    + " wrong"
        })
final class AnalyzeCommand extends ToolCommand {

    private static final int MOST_DRAWN = 2;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

    private final WatchText text;
    private final AnalysisJson found = new AnalysisJson();
    private boolean hasFindings;

    @Parameters(arity = "1..*", paramLabel = "RECORDING", description = "A flight recording. Each is judged alone.")
    private List<Path> files = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "PAGE",
            description =
                    "Draws one recording, or two side by side, as an HTML page. A file that is there is replaced.")
    private @Nullable Path page;

    @Option(names = "--json", description = "Prints one JSON object with all recordings.")
    private boolean json;

    AnalyzeCommand(PrintStream out, PrintStream err) {
        super(out, err);
        this.text = new WatchText(new Terminal(out).width());
    }

    @Override
    public Integer call() {
        Path drawn = page;
        if (drawn == null) {
            return exitCode(analyzeAll().size() == files.size());
        }
        ReportPage report = new ReportPage(drawn, json ? err : out, err);
        if (files.size() > MOST_DRAWN) {
            report.refuse("a page shows two recordings at most (were " + files.size() + ")");
            return ExitCode.COULD_NOT_LOOK;
        }
        Optional<String> obstacle = report.obstacle(files);
        if (obstacle.isPresent()) {
            report.refuse(obstacle.get());
            return ExitCode.COULD_NOT_LOOK;
        }
        List<Analysis> analyzed = analyzeAll();
        boolean isDrawn = analyzed.size() == files.size()
                && report.write(ReportPage.drawing(analyzed.stream()
                        .map(each -> new ReportPage.Recording(each.file(), each.process(), each.observations()))
                        .toList()));
        return isDrawn ? exitCode(true) : ExitCode.COULD_NOT_LOOK;
    }

    private int exitCode(boolean isComplete) {
        if (!isComplete) {
            return ExitCode.COULD_NOT_LOOK;
        }
        return hasFindings ? ExitCode.FINDINGS : ExitCode.HEALTHY;
    }

    /** Analyzes all, and returns those that could be read to their end. */
    private List<Analysis> analyzeAll() {
        List<Analysis> analyzed = new ArrayList<>();
        for (Path file : files) {
            try {
                Analysis analysis = Analysis.of(file);
                hasFindings |= analysis.hasFindings();
                found.add(analysis);
                if (!json) {
                    print(analysis);
                }
                analysis.obstacle().ifPresentOrElse(obstacle -> complain(file, obstacle), () -> analyzed.add(analysis));
            } catch (CannotLookException e) {
                complain(file, e.sentence());
            }
            out.flush();
        }
        if (json) {
            out.println(Json.line(found.map()));
            out.flush();
        }
        return analyzed;
    }

    private void print(Analysis analysis) {
        List<PoolView> pools = analysis.pools();
        FlightRecording recording = analysis.recording();
        Path file = analysis.file();
        RecordedPools.table(file.toString(), analysis.own()).forEach(line -> out.println(LogText.clean(line)));
        if (!pools.isEmpty()) {
            if (!analysis.own().isEmpty()) {
                out.println();
            }
            String title = Units.format(
                    "%s: %s from %s, %s",
                    file,
                    Units.time(recording.length()),
                    time(Instant.ofEpochSecond(0, recording.begin())),
                    Counted.of(pools.size(), "pool"));
            text.table(title, pools).forEach(out::println);
        }
        for (RecordedFinding told : analysis.replay().findings()) {
            out.println();
            text.finding(told.finding(), Certainty.ofRecording(told.finding())).forEach(out::println);
            out.println(" " + span(told.from(), told.until()));
        }
        for (PoolView pool : pools) {
            boolean isSilent = analysis.replay().findings().stream()
                    .noneMatch(told -> told.finding().pool().equals(pool.name()));
            if (isSilent) {
                text.undecided(pool).forEach(out::println);
            }
        }
        for (RecordedFinding recorded : analysis.recorded()) {
            out.println();
            text.measured(recorded.finding()).forEach(out::println);
            out.println("  measured by Lifeguard" + span(recorded.from(), recorded.until()));
        }
        if (!pools.isEmpty() && !recording.missing().isEmpty()) {
            out.println();
            text.wrapped("", "Not recorded: " + String.join("; ", recording.missing()) + ".")
                    .forEach(out::println);
        }
    }

    private static String span(Instant from, Optional<Instant> until) {
        return " from " + time(from) + until.map(end -> " to " + time(end)).orElse(" to the end");
    }

    private static String time(Instant when) {
        return TIME.format(when.atZone(ZoneId.systemDefault()));
    }

    private void complain(Path file, String why) {
        found.cannotLook(file, why);
        complain("cannot analyze " + file + ": " + why);
    }
}
