package io.lifeguard.examples.jaraudit;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user asked for. Immutable.
 *
 * @param directory where the jars are; the local Maven repository when absent
 * @param workers threads of each pool
 * @param queue places in each pool's queue
 * @param limit how many jars to audit at most
 * @param catalogueDelays the mean times the catalogue takes, one comparison each
 * @param rounds how many times each policy runs; as the time allows when absent
 * @param help whether only the usage is wanted
 */
record Options(
        Optional<Path> directory,
        int workers,
        int queue,
        int limit,
        List<Duration> catalogueDelays,
        OptionalInt rounds,
        boolean help) {

    /** Copies the list. */
    Options {
        catalogueDelays = List.copyOf(catalogueDelays);
    }

    static final String USAGE = """
            Usage: java -jar examples.jar jar-audit [options] [directory]

            Audits every jar below a directory: hashes it, compares the hash with the .sha1 file
            beside it, inflates every entry and asks a catalogue service about it. The same audit is
            done by two pools that differ only in what happens when their queue is full: in one the
            dispatcher runs the task itself (caller-runs), in the other it waits.

              directory          where the jars are (default: the local Maven repository)
              --workers N        threads of each pool, 1 to 1000 (default: 16)
              --queue N          places in each pool's queue, 1 to 1000000 (default: 8)
              --limit N          audit at most N jars, spread evenly over the directory (default: 1000)
              --catalogue-ms N   mean time the catalogue takes, 0 to 10000; several, separated by
                                 commas, are compared one after the other (default: 5,50)
              --rounds N         audits per pool, 1 to 20 (default: 3, fewer when they take long)
              --help             prints this

            Exit status: 0 when the audit was done (bad jars are reported), 1 when it could not be
            done, 2 for wrong arguments, 130 when interrupted.
            """;

    /**
     * Returns the options in the given arguments, {@code --name value} or {@code --name=value}.
     *
     * @throws UsageException when one makes no sense; the message names it and its value
     */
    static Options parse(List<String> arguments) throws UsageException {
        Parser parser = new Parser();
        parser.parse(arguments.iterator());
        return new Options(
                parser.directory,
                parser.workers,
                parser.queue,
                parser.limit,
                parser.catalogueDelays,
                parser.rounds,
                parser.help);
    }

    /** Not thread-safe; used once. */
    private static final class Parser {
        private Optional<Path> directory = Optional.empty();
        private int workers = 16;
        private int queue = 8;
        private int limit = 1_000;
        private List<Duration> catalogueDelays = List.of(Duration.ofMillis(5), Duration.ofMillis(50));
        private OptionalInt rounds = OptionalInt.empty();
        private boolean help;

        void parse(Iterator<String> arguments) throws UsageException {
            boolean optionsEnded = false;
            while (arguments.hasNext()) {
                String argument = arguments.next();
                if (optionsEnded || !argument.startsWith("-")) {
                    directory(argument);
                } else if (argument.equals("--")) {
                    optionsEnded = true;
                } else if (argument.equals("--help") || argument.equals("-h")) {
                    help = true;
                } else {
                    int equals = argument.indexOf('=');
                    String name = equals < 0 ? argument : argument.substring(0, equals);
                    option(
                            name,
                            equals < 0
                                    ? arguments
                                    : List.of(argument.substring(equals + 1)).iterator());
                }
            }
        }

        private void directory(String argument) throws UsageException {
            if (directory.isPresent()) {
                throw new UsageException(
                        "only one directory can be audited (was \"" + directory.get() + "\" and \"" + argument + "\")");
            }
            try {
                directory =
                        Optional.of(argument).filter(name -> !name.isEmpty()).map(Path::of);
            } catch (InvalidPathException invalid) {
                directory = Optional.empty();
            }
            if (directory.isEmpty()) {
                throw new UsageException("not a directory name: \"" + Printable.text(argument) + "\"");
            }
        }

        private void option(String name, Iterator<String> values) throws UsageException {
            switch (name) {
                case "--workers" -> workers = number(name, values, 1, 1_000);
                case "--queue" -> queue = number(name, values, 1, 1_000_000);
                case "--limit" -> limit = number(name, values, 1, Integer.MAX_VALUE);
                case "--catalogue-ms" -> catalogueDelays = delays(name, values);
                case "--rounds" -> rounds = OptionalInt.of(number(name, values, 1, 20));
                default -> throw new UsageException("there is no option \"" + Printable.text(name) + "\"");
            }
        }

        private static List<Duration> delays(String name, Iterator<String> values) throws UsageException {
            List<Duration> delays = new ArrayList<>();
            for (String value : value(name, values).split(",", -1)) {
                delays.add(Duration.ofMillis(number(name, value, 0, 10_000)));
            }
            return delays;
        }

        private static int number(String name, Iterator<String> values, int least, int most) throws UsageException {
            return number(name, value(name, values), least, most);
        }

        private static String value(String name, Iterator<String> values) throws UsageException {
            if (!values.hasNext()) {
                throw new UsageException(name + " needs a number behind it");
            }
            return values.next();
        }

        private static int number(String name, String value, int least, int most) throws UsageException {
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // told below, in the same words
            }
            throw new UsageException(name + " must be a whole number from " + least + " to " + most + " (was \""
                    + Printable.text(value) + "\")");
        }
    }
}
