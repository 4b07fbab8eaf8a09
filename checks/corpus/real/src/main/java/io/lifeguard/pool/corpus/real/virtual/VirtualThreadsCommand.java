package io.lifeguard.pool.corpus.real.virtual;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command that plays programs on virtual threads, and says how they were judged. One thread only. */
public final class VirtualThreadsCommand {

    private static final String HELP = """
            Usage: java -jar corpus-real.jar --virtual --java PROGRAM[,PROGRAM] [options]

            Plays programs on virtual threads, sick and healthy. Each plays with the library and its monitor in
            the program, and without the library while 'lifeguard watch' looks at it from outside.

              --java A,B         the programs "java", of Java 21 or later, that play them
              --only A,B         programs whose names contain one of these
              --quick            three sick programs and a healthy one
              --sick, --healthy  only these
              --seconds N        how long a sick program plays (default: 7 inside, 12 outside, with --quick 9)
              --healthy-seconds N  how long the healthy programs play, all at a time (default: 300, with --quick 10)
              --out DIRECTORY    where the report is written (default: results)
              --verbose          shows what the programs and the watcher printed

            With --quick a program that is judged wrongly is played once more.
            Exit status: 0 when eleven of twelve sick programs are judged rightly, with --quick all of them, and all
            healthy ones are silent; otherwise 1; 2 for wrong arguments.
            """;

    private static final int FIRST_VERSION = 21;
    private static final Pattern VERSION = Pattern.compile("version \"(\\d+)");

    /** Before the watcher is started. Whoever watches a program does so because it is sick. */
    private static final Duration SICK_BEFORE = Duration.ofSeconds(1);

    private List<String> javas = List.of();
    private Set<String> only = Set.of();
    private boolean quick;
    private boolean playsSick = true;
    private boolean playsHealthy = true;
    private long insideSeconds;
    private long outsideSeconds;
    private long healthySeconds;
    private Path out = Path.of("results");
    private boolean verbose;
    private final VirtualReport report = new VirtualReport();

    private VirtualThreadsCommand() {}

    /**
     * Runs the command.
     *
     * @return its exit status
     */
    public static int run(List<String> arguments) throws IOException {
        VirtualThreadsCommand command = new VirtualThreadsCommand();
        try {
            command.parse(arguments.iterator());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(HELP);
            return 2;
        }
        return command.run();
    }

    private void parse(Iterator<String> arguments) {
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--java" -> javas = List.of(value(name, arguments).split(",", -1));
                case "--only" -> only = Set.of(value(name, arguments).split(",", -1));
                case "--quick" -> quick = true;
                case "--sick" -> playsHealthy = false;
                case "--healthy" -> playsSick = false;
                case "--seconds" -> {
                    insideSeconds = Long.parseLong(value(name, arguments));
                    outsideSeconds = insideSeconds;
                }
                case "--healthy-seconds" -> healthySeconds = Long.parseLong(value(name, arguments));
                case "--out" -> out = Path.of(value(name, arguments));
                case "--verbose" -> verbose = true;
                default -> throw new IllegalArgumentException("there is no option \"" + name + "\"");
            }
        }
        if (javas.isEmpty()) {
            throw new IllegalArgumentException("--java is missing");
        }
        if (healthySeconds == 0) {
            healthySeconds = quick ? 10 : 300;
        }
        if (insideSeconds == 0) {
            insideSeconds = 7;
            outsideSeconds = quick ? 9 : 12;
        }
    }

    private static String value(String name, Iterator<String> values) {
        if (!values.hasNext()) {
            throw new IllegalArgumentException(name + " needs a value behind it");
        }
        return values.next();
    }

    private int run() throws IOException {
        boolean isRight = true;
        for (String java : javas) {
            int feature = feature(java);
            if (feature < FIRST_VERSION) {
                System.err.println(java + " is Java " + feature + ", which has no virtual threads");
                return 2;
            }
            System.err.println("Java " + feature);
            isRight &= playsSick ? playSick(java, feature) : true;
            isRight &= playsHealthy ? playHealthy(java, feature) : true;
        }
        write(report.markdown());
        return (quick ? isRight : report.isGood()) ? 0 : 1;
    }

    private static int feature(String java) throws IOException {
        Process process =
                new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher version = VERSION.matcher(text);
        if (!version.find()) {
            throw new IOException(java + " -version says: " + text);
        }
        return Integer.parseInt(version.group(1));
    }

    private boolean isWanted(VirtualProgram program) {
        return (!quick || program.isQuick()) && (only.isEmpty() || only.stream().anyMatch(program.name()::contains));
    }

    private boolean playSick(String java, int feature) {
        boolean isRight = true;
        for (VirtualProgram program : VirtualPrograms.sick()) {
            if (isWanted(program) && program.label(feature).isPresent()) {
                try {
                    isRight &= playSick(program, program.label(feature).get(), java, feature);
                } catch (CompletionException | UncheckedIOException e) { // says nothing about the others
                    System.err.println(program.name() + ": " + e.getMessage());
                    report.addNotRun(program, feature);
                    isRight = false;
                }
            }
        }
        return isRight;
    }

    private boolean playSick(VirtualProgram program, Label label, String java, int feature) {
        CompletableFuture<VirtualOutcome> beside = quick
                ? beside(() -> inside(program, label, java))
                : CompletableFuture.completedFuture(inside(program, label, java));
        VirtualOutcome outside = outside(program, label, java);
        VirtualOutcome inside = beside.join();
        if (quick && !inside.isRight()) {
            System.err.println("repeated: " + program.name() + " on Java " + feature + ", inside");
            inside = inside(program, label, java);
        }
        if (quick && !outside.isRight()) {
            System.err.println("repeated: " + program.name() + " on Java " + feature + ", outside");
            outside = outside(program, label, java);
        }
        return report.add(program, feature, inside, outside);
    }

    private VirtualOutcome inside(VirtualProgram program, Label label, String java) {
        return told(
                program,
                VirtualOutcome.of(label, VirtualRun.inside(program, java, Duration.ofSeconds(insideSeconds)), false));
    }

    private VirtualOutcome outside(VirtualProgram program, Label label, String java) {
        return told(
                program,
                VirtualOutcome.of(
                        label,
                        VirtualRun.outside(program, java, SICK_BEFORE, Duration.ofSeconds(outsideSeconds)),
                        true));
    }

    private VirtualOutcome told(VirtualProgram program, VirtualOutcome outcome) {
        System.err.printf(
                "%-28s %-7s %-5s %s %s%n",
                program.name(),
                outcome.isOutside() ? "outside" : "inside",
                outcome.isRight() ? "right" : "WRONG",
                outcome.seconds(),
                outcome.wrong());
        if (verbose || !outcome.isRight()) {
            outcome.said().forEach(text -> System.err.println("    " + text));
        }
        if (verbose) {
            outcome.run().course().changes().forEach(line -> System.err.println("    " + line));
            outcome.run().course().log().stream().limit(40).forEach(line -> System.err.println("    | " + line));
        }
        return outcome;
    }

    /** All at a time, from both sides, each in a JVM of its own. */
    private boolean playHealthy(String java, int feature) {
        Duration length = Duration.ofSeconds(healthySeconds);
        List<CompletableFuture<VirtualRun>> inside = new ArrayList<>();
        List<CompletableFuture<VirtualRun>> outside = new ArrayList<>();
        List<VirtualProgram> programs =
                HealthyVirtualPrograms.all().stream().filter(this::isWanted).toList();
        for (VirtualProgram program : programs) {
            inside.add(beside(() -> VirtualRun.inside(program, java, length)));
            outside.add(beside(() -> VirtualRun.outside(program, java, Duration.ofSeconds(2), length)));
        }
        boolean isRight = true;
        for (int i = 0; i < programs.size(); i++) {
            VirtualRun one = inside.get(i).join();
            VirtualRun other = outside.get(i).join();
            System.err.printf(
                    "%-28s inside %s, outside %s, exit %s%n",
                    programs.get(i).name(), one.course().found(), other.course().found(), other.exitCode());
            if (verbose || other.exitCode().orElse(-1) == 2) {
                other.course().log().stream().limit(20).forEach(line -> System.err.println("    | " + line));
            }
            isRight &= report.add(programs.get(i), feature, healthySeconds, one, other);
        }
        return isRight;
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> run) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(run.get());
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                },
                "program");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private void write(String markdown) throws IOException {
        Files.createDirectories(out);
        Path file = out.resolve(quick ? "virtual-quick.md" : "virtual.md");
        Files.writeString(file, markdown);
        System.out.print(markdown);
        System.err.println("written: " + file);
    }
}
