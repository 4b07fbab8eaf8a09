package io.lifeguard.pool.corpus;

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
 * @param runs how often each workload runs
 * @param foreignLoad how many busy threads other processes have at the same time
 * @param sizing whether to sweep sizes
 * @param findings whether to play the labelled workloads
 * @param length how long each workload plays
 * @param perSize how long each size of a sweep is measured
 * @param window length of the monitor's windows
 * @param tolerated how many wrong runs still pass
 * @param out the directory for the report
 * @param resume whether to reuse the sweeps that are in that directory
 * @param verbose whether to show the windows too
 * @param list whether only to list the workloads
 * @param help whether only to print the help
 */
record Options(
        Set<String> only,
        boolean quick,
        int runs,
        int foreignLoad,
        boolean sizing,
        boolean findings,
        Duration length,
        Duration perSize,
        Duration window,
        int tolerated,
        Path out,
        boolean resume,
        boolean verbose,
        boolean list,
        boolean help) {

    static final String HELP = """
            Usage: java -jar corpus.jar [options]

            Plays labelled workloads, sick and healthy, and says how well the diagnosis told them apart;
            then sweeps the size of other pools and says how good the recommended sizes were.

              --only A,B         workloads whose names contain one of these
              --quick            a representative part, about three minutes
              --runs N           each so often (default: 1)
              --foreign-load N   N busy threads of another process meanwhile (default: 0)
              --sizing           only the sizes
              --no-sizing        only the findings
              --seconds N        how long each workload plays (default: 5, with --quick 3.5)
              --per-size N       milliseconds for which a size is measured in each pass (default: 1500)
              --window N         milliseconds of a window (default: 250)
              --tolerate N       wrong runs that still pass (default: 0)
              --out DIRECTORY    where the report is written (default: results)
              --resume           sizes: sweeps whose files are in that directory are not made again, only reported
              --verbose          shows each run's windows
              --list             names the workloads
              --help             prints this

            Exit status: 0 when all went as the labels say, 1 when not, 2 for wrong arguments, 3 when a
            workload could not be run.
            """;

    static Options parse(String... arguments) throws UsageException {
        Parser parser = new Parser();
        parser.parse(List.of(arguments).iterator());
        return new Options(
                parser.only,
                parser.quick,
                parser.runs,
                parser.foreignLoad,
                parser.sizing,
                parser.findings,
                Duration.ofMillis((long) ((parser.seconds > 0 ? parser.seconds : parser.quick ? 3.5 : 5) * 1_000)),
                Duration.ofMillis(parser.perSizeMillis > 0 ? parser.perSizeMillis : parser.quick ? 1_250 : 1_500),
                Duration.ofMillis(parser.windowMillis),
                parser.tolerated,
                parser.out,
                parser.resume,
                parser.verbose,
                parser.list,
                parser.help);
    }

    /** Parses the options. Not thread-safe; used once. */
    private static final class Parser {
        private Set<String> only = Set.of();
        private boolean quick;
        private int runs = 1;
        private int foreignLoad;
        private boolean sizing = true;
        private boolean findings = true;
        private double seconds;
        private int perSizeMillis;
        private int windowMillis = 250;
        private int tolerated;
        private Path out = Path.of("results");
        private boolean resume;
        private boolean verbose;
        private boolean list;
        private boolean help;

        void parse(Iterator<String> arguments) throws UsageException {
            while (arguments.hasNext()) {
                String name = arguments.next();
                switch (name) {
                    case "--only" -> only = Set.of(value(name, arguments).split(",", -1));
                    case "--quick" -> quick = true;
                    case "--runs" -> runs = number(name, arguments, 1, 1_000);
                    case "--foreign-load" -> foreignLoad = number(name, arguments, 0, 1_000);
                    case "--sizing" -> findings = false;
                    case "--no-sizing" -> sizing = false;
                    case "--seconds" -> seconds = number(name, arguments, 1, 3_600);
                    case "--per-size" -> perSizeMillis = number(name, arguments, 500, 60_000);
                    case "--window" -> windowMillis = number(name, arguments, 50, 10_000);
                    case "--tolerate" -> tolerated = number(name, arguments, 0, 1_000);
                    case "--out" -> out = Path.of(value(name, arguments));
                    case "--resume" -> resume = true;
                    case "--verbose" -> verbose = true;
                    case "--list" -> list = true;
                    case "--help", "-h" -> help = true;
                    default -> throw new UsageException("there is no option \"" + name + "\"");
                }
            }
            if (!sizing && !findings) {
                throw new UsageException("--sizing and --no-sizing leave nothing to do");
            }
        }

        private static String value(String name, Iterator<String> values) throws UsageException {
            if (!values.hasNext()) {
                throw new UsageException(name + " needs a value behind it");
            }
            return values.next();
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
