package io.lifeguard.pool.corpus;

import io.lifeguard.pool.corpus.run.MachineKind;
import io.lifeguard.workbench.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The options of the command line. Immutable.
 *
 * @param only names of workloads, or parts of names; empty for all
 * @param quick whether to run the representative part only
 * @param form how the labelled workloads are played
 * @param runs how often each workload runs
 * @param machines the machines to play on, one after the other; empty for this one as it is
 * @param foreignLoad how many busy threads other processes have at the same time
 * @param sizing whether to sweep sizes
 * @param findings whether to play the labelled workloads
 * @param length how long each workload plays
 * @param perSize how long each size of a sweep is measured
 * @param window length of the monitor's windows
 * @param out the directory for the report
 * @param resume whether to reuse the sweeps that are in that directory
 * @param verbose whether to show the windows too
 * @param targetJava the program {@code java} of JVMs that are watched from outside
 * @param watcherJava the program {@code java} of the JVM that watches from outside
 * @param list whether only to list the workloads
 * @param help whether only to print the help
 */
record Options(
        Set<String> only,
        boolean quick,
        Form form,
        int runs,
        List<MachineKind> machines,
        int foreignLoad,
        boolean sizing,
        boolean findings,
        Duration length,
        Duration perSize,
        Duration window,
        Path out,
        boolean resume,
        boolean verbose,
        String targetJava,
        String watcherJava,
        boolean list,
        boolean help) {

    /** How the labelled workloads are played. */
    enum Form {
        /** Some seconds with short windows, sick and healthy ones. */
        SHORT(5),
        /** Sick ones with windows of a second, in a warm JVM, with the cure at the end. */
        MINUTES(90),
        /** Sick ones with windows of a second, in a new JVM: for the time to the first finding. */
        COLD(15),
        /** On the JDK's pools, sick and healthy ones, watched from another JVM. */
        OUTSIDE(16),
        /** Sick ones on the JDK's pools, of which an agent asks by the Model Context Protocol. */
        AGENT(8),
        /** No labelled workloads, but saturated pools of the wrong size: what is lost by following the findings? */
        ADVICE(15),
        /** The same on the JDK's pools, watched from another JVM. */
        ADVICE_OUTSIDE(15);

        private final double seconds;

        Form(double seconds) {
            this.seconds = seconds;
        }
    }

    static final String HELP = """
        Usage: java -jar corpus.jar [options]

        Plays labelled workloads, sick and healthy, and says how well the diagnosis told them apart;
        then sweeps the size of other pools and says how good the recommended sizes were.

          --only A,B         workloads whose names contain one of these
          --quick            a representative part, about two minutes: two at a time; what is judged wrongly
                             then is played alone
          --minutes          only sick ones, for a minute and a half each, beside idle pools in a warm JVM;
                             then the load falls, and the finding must end
          --cold             only sick ones, for 15 s in a new JVM: how soon are they named?
          --outside          sick and healthy ones on the JDK's pools, watched by 'lifeguard watch'
          --target-java HOME   the JDK that plays them (default: this one)
          --watcher-java HOME  the JDK that watches them (default: this one)
          --advice           pools that are too small and too large, at default settings: which sizes do
                             findings say, and what is lost by following them?
          --agent            sick ones on the JDK's pools, asked about by the Model Context Protocol
          --advice-outside   the same with the JDK's pools, watched by 'lifeguard watch'
          --runs N           each so often (default: 1)
          --machine A,B      the findings on these machines, which are made from this one: quiet, beside (four
                             processes compute), one-cpu, quota (half a CPU), slow-compiler; with --minutes
                             and --cold too. The report has a column for each
          --foreign-load N   N busy threads of another process meanwhile (default: 0)
          --sizing           only the sizes
          --no-sizing        only the findings
          --seconds N        how long each workload plays (default: 5, with --quick 3.5, where sick ones
                             end once they are found, or 4 s later; with --minutes 90, with
                             --cold 15, with --outside 16, with --advice and --advice-outside 15 at each of two sizes)
          --per-size N       milliseconds for which a size is measured in each pass (default: 1500)
          --window N         milliseconds of a window (default: 250)
          --out DIRECTORY    where the report is written (default: results)
          --resume           sizes: sweeps whose files are in that directory are not made again, only reported
          --verbose          shows each run's windows
          --list             names the workloads
          --help             prints this

        A workload that is judged wrongly is played once more. It is reported, and wrong only if it is judged
        wrongly twice. With --foreign-load, and on all machines but the quiet one, a fifth of the sick workloads may be missed.

        Exit status: 0 when all went as the labels say, 1 when not, 2 for wrong arguments, 3 when a
        workload could not be run.
        """;

    /** How much longer a sick workload may play whose findings are not complete. */
    Duration patience() {
        return form == Form.SHORT ? Duration.ofSeconds(10) : Duration.ZERO;
    }

    /** The name of the report's file. */
    String fileName() {
        return machines.isEmpty() ? nameOfForm() : "machines-" + nameOfForm();
    }

    private String nameOfForm() {
        return switch (form) {
            case MINUTES -> "minutes.md";
            case COLD -> "cold.md";
            case OUTSIDE -> "outside.md";
            case AGENT -> "agent.md";
            case ADVICE -> "advice.md";
            case ADVICE_OUTSIDE -> "advice-outside.md";
            case SHORT -> quick ? "quick.md" : "corpus.md";
        };
    }

    static Options parse(String... arguments) throws UsageException {
        Parser parser = new Parser();
        parser.parse(List.of(arguments).iterator());
        return new Options(
                parser.only,
                parser.quick,
                parser.form,
                parser.runs,
                parser.machines,
                parser.foreignLoad,
                parser.sizing,
                parser.findings,
                Duration.ofMillis((long) ((parser.seconds > 0 ? parser.seconds : parser.defaultSeconds()) * 1_000)),
                Duration.ofMillis(parser.perSizeMillis > 0 ? parser.perSizeMillis : parser.quick ? 1_250 : 1_500),
                Duration.ofMillis(parser.windowMillis),
                parser.out,
                parser.resume,
                parser.verbose,
                parser.targetJava,
                parser.watcherJava,
                parser.list,
                parser.help);
    }

    /** Parses the options. Not thread-safe; used once. */
    private static final class Parser {
        private Set<String> only = Set.of();
        private boolean quick;
        private Form form = Form.SHORT;
        private int runs = 1;
        private List<MachineKind> machines = List.of();
        private int foreignLoad;
        private boolean sizing = true;
        private boolean findings = true;
        private double seconds;
        private int perSizeMillis;
        private int windowMillis = 250;
        private Path out = Path.of("results");
        private boolean resume;
        private boolean verbose;
        private String targetJava = ChildJvm.java();
        private String watcherJava = ChildJvm.java();
        private boolean list;
        private boolean help;

        void parse(Iterator<String> arguments) throws UsageException {
            while (arguments.hasNext()) {
                String name = arguments.next();
                switch (name) {
                    case "--only" -> only = Set.of(value(name, arguments).split(",", -1));
                    case "--quick" -> quick = true;
                    case "--minutes" -> form = Form.MINUTES;
                    case "--cold" -> form = Form.COLD;
                    case "--outside" -> form = Form.OUTSIDE;
                    case "--agent" -> form = Form.AGENT;
                    case "--advice" -> form = Form.ADVICE;
                    case "--advice-outside" -> form = Form.ADVICE_OUTSIDE;
                    case "--target-java" -> targetJava = java(name, arguments);
                    case "--watcher-java" -> watcherJava = java(name, arguments);
                    case "--runs" -> runs = number(name, arguments, 1, 1_000);
                    case "--machine" -> machines = machines(value(name, arguments));
                    case "--foreign-load" -> foreignLoad = number(name, arguments, 0, 1_000);
                    case "--sizing" -> findings = false;
                    case "--no-sizing" -> sizing = false;
                    case "--seconds" -> seconds = number(name, arguments, 1, 3_600);
                    case "--per-size" -> perSizeMillis = number(name, arguments, 500, 60_000);
                    case "--window" -> windowMillis = number(name, arguments, 50, 10_000);
                    case "--out" -> out = Path.of(value(name, arguments));
                    case "--resume" -> resume = true;
                    case "--verbose" -> verbose = true;
                    case "--list" -> list = true;
                    case "--help", "-h" -> help = true;
                    default -> throw new UsageException("there is no option \"" + name + "\"");
                }
            }
            sizing &= form == Form.SHORT && machines.isEmpty();
            if (!machines.isEmpty() && form != Form.SHORT && form != Form.MINUTES && form != Form.COLD) {
                throw new UsageException("--machine goes with the short form, --minutes and --cold");
            }
            if (!sizing && !findings) {
                throw new UsageException("--sizing and --no-sizing leave nothing to do");
            }
        }

        private static List<MachineKind> machines(String names) throws UsageException {
            try {
                return MachineKind.parse(names);
            } catch (IllegalArgumentException e) {
                throw new UsageException("--machine: " + e.getMessage());
            }
        }

        private double defaultSeconds() {
            return quick && form == Form.SHORT ? 3.5 : form.seconds;
        }

        private static String value(String name, Iterator<String> values) throws UsageException {
            if (!values.hasNext()) {
                throw new UsageException(name + " needs a value behind it");
            }
            return values.next();
        }

        private static String java(String name, Iterator<String> values) throws UsageException {
            String home = value(name, values);
            Path program = Path.of(home, "bin", "java");
            if (!Files.isExecutable(program)) {
                throw new UsageException(
                        name + " must be the home of a JDK (was \"" + home + "\", which has no bin/java)");
            }
            return program.toString();
        }

        private static int number(String name, Iterator<String> values, int least, int most) throws UsageException {
            String value = value(name, values);
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // reported below
            }
            throw new UsageException(
                    name + " must be a whole number from " + least + " to " + most + " (was \"" + value + "\")");
        }
    }
}
