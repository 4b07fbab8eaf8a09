package io.lifeguard.pool.tools;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.analyze.FlightRecording;
import io.lifeguard.pool.tools.analyze.Replay;
import io.lifeguard.pool.tools.diagnosis.RecordingDiagnosis;
import io.lifeguard.pool.tools.diagnosis.RecordingDiagnosis.Raised;
import io.lifeguard.pool.tools.recording.RecordingReader;
import io.lifeguard.pool.tools.watch.Certainty;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.WatchText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
                    + " async-profiler. Where the program has Lifeguard, the rules are applied to what it"
                    + " has measured.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = JarVersion.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing was found",
            "1:there were findings",
            "2:a recording could not be read, or shows no pool, the page could not be written, or the arguments are"
                    + " wrong"
        })
final class AnalyzeCommand implements Callable<Integer> {

    private static final int MOST_DRAWN = 2;

    /** Of the workers' time. Where less is known, silence says nothing. */
    private static final double MOST_UNKNOWN = 0.75;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

    private final PrintStream out;
    private final PrintStream err;
    private final WatchText text;
    private boolean hasFindings;

    @Parameters(arity = "1..*", paramLabel = "RECORDING", description = "A flight recording. Each is judged alone.")
    private List<Path> files = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "PAGE",
            description =
                    "Draws one recording, or two side by side, as an HTML page. A file that is there is replaced.")
    private @Nullable Path page;

    AnalyzeCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        this.text = new WatchText(new Terminal(out).width());
    }

    /** What was read of a recording. */
    private record Analyzed(Path file, List<Observation> observations) {}

    /**
     * What Lifeguard has recorded, if the program has it.
     *
     * @param observations all, in the order of the recording
     * @param judged what its rules find in the windows among them
     */
    private record Own(List<Observation> observations, List<Raised> judged) {
        static final Own NOTHING = new Own(List.of(), List.of());

        static Own of(Path file) throws IOException {
            List<Observation> observations = RecordingReader.read(file);
            return observations.isEmpty()
                    ? NOTHING
                    : new Own(observations, RecordingDiagnosis.of(file).findings());
        }

        boolean isEmpty() {
            return observations.isEmpty();
        }
    }

    @Override
    public Integer call() {
        Path drawn = page;
        if (drawn == null) {
            return exitCode(analyzeAll().size() == files.size());
        }
        ReportPage report = new ReportPage(drawn, out, err);
        if (files.size() > MOST_DRAWN) {
            report.refuse("a page shows two recordings at most (were " + files.size() + ")");
            return ExitCode.COULD_NOT_LOOK;
        }
        Optional<String> obstacle = report.obstacle(files);
        if (obstacle.isPresent()) {
            report.refuse(obstacle.get());
            return ExitCode.COULD_NOT_LOOK;
        }
        List<Analyzed> analyzed = analyzeAll();
        boolean isDrawn = analyzed.size() == files.size() && report.write(report(analyzed));
        return isDrawn ? exitCode(true) : ExitCode.COULD_NOT_LOOK;
    }

    private int exitCode(boolean isComplete) {
        if (!isComplete) {
            return ExitCode.COULD_NOT_LOOK;
        }
        return hasFindings ? ExitCode.FINDINGS : ExitCode.HEALTHY;
    }

    private static PoolReport report(List<Analyzed> analyzed) {
        Analyzed first = analyzed.get(0);
        String name = nameOf(first.file());
        if (analyzed.size() == 1) {
            return PoolReport.of(name, first.observations());
        }
        Analyzed second = analyzed.get(1);
        String secondName = nameOf(second.file());
        return PoolReport.comparing(
                name + " and " + secondName, name, first.observations(), secondName, second.observations());
    }

    /** Analyzes all, and returns those that could be read to their end. */
    private List<Analyzed> analyzeAll() {
        List<Analyzed> analyzed = new ArrayList<>();
        for (Path file : files) {
            try {
                analyze(file, analyzed);
            } catch (OutOfMemoryError e) {
                complain(file, "too large for this heap; give it more with java -Xmx");
            } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
                complain(file, reason(file, e));
            }
            out.flush();
        }
        return analyzed;
    }

    private void analyze(Path file, List<Analyzed> analyzed) throws IOException {
        if (Files.isDirectory(file)) {
            complain(file, "it is a directory");
            return;
        }
        FlightRecording recording = FlightRecording.read(file);
        Own own = recording.problem().isPresent() ? Own.NOTHING : Own.of(file);
        if (recording.isEmpty() && own.isEmpty()) {
            complain(file, "it holds no event of the JDK, of a profiler, or of Lifeguard");
            return;
        }
        Set<String> ownWorkers = own.observations().stream()
                .filter(Observation.WorkerSample.class::isInstance)
                .map(sample -> ((Observation.WorkerSample) sample).thread())
                .collect(Collectors.toSet());
        Replay replay = new Replay(recording, ownWorkers);
        replay.run();
        List<PoolView> pools = replay.pools();
        if (pools.isEmpty() && own.isEmpty()) {
            complain(
                    file,
                    Units.format(
                            "in its %s no thread works for a pool that this program knows. Not recorded: %s",
                            Units.time(recording.length()), String.join("; ", recording.missing())));
            return;
        }
        print(file, recording, replay, pools, own);
        if (replay.findings().isEmpty() && own.isEmpty() && unknownShare(pools) > MOST_UNKNOWN) {
            complain(
                    file,
                    Units.format(
                            "what its pools did is unknown for %s of the time. Record with the settings 'default', for"
                                    + " two minutes or more: the JVM then adds thread dumps and CPU times",
                            Units.percent(unknownShare(pools))));
            return;
        }
        if (recording.problem().isPresent()) {
            complain(file, "it breaks off: " + recording.problem().get() + ". What was read before is shown");
            return;
        }
        List<Observation> all = new ArrayList<>(own.observations());
        all.addAll(replay.observations());
        analyzed.add(new Analyzed(file, all));
    }

    /** Of the time of all workers. */
    private static double unknownShare(List<PoolView> pools) {
        double unknown = pools.stream()
                .mapToDouble(pool -> pool.threads(Doing.UNKNOWN).orElse(0))
                .sum();
        double all = pools.stream()
                .mapToDouble(pool -> pool.window()
                        .map(window -> window.breakdown().workers())
                        .orElse(0.0))
                .sum();
        return all == 0 ? 1 : unknown / all;
    }

    private void print(Path file, FlightRecording recording, Replay replay, List<PoolView> pools, Own own) {
        if (pools.isEmpty()) {
            out.println(LogText.clean(file + ": no pools but those that Lifeguard has recorded"));
        } else {
            String title = Units.format(
                    "%s: %s from %s, %s",
                    file,
                    Units.time(recording.length()),
                    time(Instant.ofEpochSecond(0, recording.begin())),
                    Counted.of(pools.size(), "pool"));
            text.table(title, pools).forEach(out::println);
        }
        for (Replay.Told told : replay.findings()) {
            hasFindings = true;
            out.println();
            text.finding(told.finding(), Certainty.ofRecording(told.finding())).forEach(out::println);
            out.println(" " + span(told.from(), told.until()));
        }
        for (PoolView pool : pools) {
            boolean isSilent = replay.findings().stream()
                    .noneMatch(told -> told.finding().pool().equals(pool.name()));
            if (isSilent) {
                text.undecided(pool).forEach(out::println);
            }
        }
        printOwn(own);
        if (!pools.isEmpty() && !recording.missing().isEmpty()) {
            out.println();
            text.wrapped("", "Not recorded: " + String.join("; ", recording.missing()) + ".")
                    .forEach(out::println);
        }
    }

    /**
     * What the library's own rules find in the windows that it has recorded. A black box holds no windows, and rules of
     * a user's own are not here: of these, what was raised then is shown.
     */
    private void printOwn(Own own) {
        Set<List<String>> judged = new HashSet<>();
        for (Raised raised : own.judged()) {
            judged.add(key(raised.finding().pool(), raised.finding().id()));
            hasFindings = true;
            out.println();
            text.measured(raised.finding()).forEach(out::println);
            out.println("  measured by Lifeguard" + span(raised.raised(), raised.over()));
        }
        printRecorded(own.observations(), judged);
    }

    private static String span(Instant from, Optional<Instant> until) {
        return " from " + time(from) + until.map(end -> " to " + time(end)).orElse(" to the end");
    }

    private static List<String> key(String pool, String id) {
        return List.of(pool, id);
    }

    /** A recording that began late has no news that a finding was raised, but news that it stands. */
    private void printRecorded(List<Observation> own, Set<List<String>> judged) {
        Set<List<String>> standing = new HashSet<>();
        for (Observation observation : own) {
            if (observation instanceof FindingChange finding) {
                List<String> key = key(finding.pool(), finding.id());
                boolean stands = finding.change() == Change.RAISED || finding.change() == Change.UPDATED;
                if (!stands) {
                    standing.remove(key);
                } else if (standing.add(key) && !judged.contains(key)) {
                    printRecorded(finding);
                }
            }
        }
    }

    private void printRecorded(FindingChange finding) {
        hasFindings = true;
        out.println();
        text.wrapped(
                        "",
                        Units.format(
                                "%s pool %s: %s. [%s]",
                                finding.severity(), LogText.name(finding.pool()), finding.summary(), finding.id()))
                .forEach(out::println);
        text.wrapped("  ", finding.advice()).forEach(out::println);
        out.println("  as Lifeguard has recorded it at " + time(Instant.ofEpochSecond(0, finding.startNanos())));
    }

    private static String time(Instant when) {
        return TIME.format(when.atZone(ZoneId.systemDefault()));
    }

    private static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }

    private static String reason(Path file, Exception e) {
        if (!Files.exists(file)) {
            return "no such file or directory";
        }
        return "it is no complete flight recording of a JDK up to the one that reads it (" + e + ")";
    }

    private void complain(Path file, String why) {
        err.println(LogText.clean("cannot analyze " + file + ": " + why));
    }
}
