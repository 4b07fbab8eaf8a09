package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Arguments;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options of the jar audit. Immutable.
 *
 * @param directory where the jars are; if absent, the local Maven repository and the packages of the JDK
 * @param workers the number of threads in each pool
 * @param queue the capacity of each pool's queue
 * @param limit the largest number of jars to audit
 * @param catalogueDelays the mean answer times of the catalogue; there is one comparison for each
 * @param rounds the number of runs with each policy; if absent, as many as the time allows
 * @param help whether to print the usage and do nothing else
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

            Audits every jar below a directory: computes its hash, compares the hash with the .sha1
            file beside it, reads every entry and asks a catalogue service about it. Two pools do the
            same work. They differ only in what happens when the queue is full: in the first the
            dispatcher runs the task itself (caller-runs), in the second the dispatcher waits.

              directory          where the jars are (default: the local Maven repository; packages of
                                 this JDK are added when it has fewer jars than --limit)
              --workers N        threads of each pool, 1 to 1000 (default: 16)
              --queue N          places in each pool's queue, 1 to 1000000 (default: 8)
              --limit N          audit at most N jars, spread evenly over the directory (default: 800)
              --catalogue-ms N   mean answer time of the catalogue, 0 to 10000; with several numbers,
                                 such as 5,50, there is one comparison for each (default: 50)
              --rounds N         audits per pool, 1 to 20 (default: 3, fewer when they take long)
              --help             prints this

            Exit status: 0 when the audit was done (bad jars are reported), 1 when it could not be
            done, 2 for wrong arguments, 130 when interrupted.
            """;

    /**
     * Returns the options in the given arguments, {@code --name value} or {@code --name=value}.
     *
     * @throws IllegalArgumentException if an option is unknown or has an invalid value; the message names both
     */
    static Options parse(List<String> arguments) {
        Optional<Path> directory = Optional.empty();
        int workers = 16;
        int queue = 8;
        int limit = 800;
        List<Duration> catalogueDelays = List.of(Duration.ofMillis(50));
        OptionalInt rounds = OptionalInt.empty();
        boolean help = false;
        Arguments left = new Arguments(arguments);
        while (!left.isEmpty()) {
            String option = left.option();
            switch (option) {
                case "--workers" -> workers = left.number(option, 1, 1_000);
                case "--queue" -> queue = left.number(option, 1, 1_000_000);
                case "--limit" -> limit = left.number(option, 1, Integer.MAX_VALUE);
                case "--catalogue-ms" -> catalogueDelays = delays(option, left.value(option));
                case "--rounds" -> rounds = OptionalInt.of(left.number(option, 1, 20));
                case "--help", "-h" -> help = true;
                case "--" -> directory = Optional.of(directory(directory, left.value("--")));
                default -> {
                    if (option.startsWith("-")) {
                        throw Arguments.unknown(option);
                    }
                    directory = Optional.of(directory(directory, option));
                }
            }
        }
        return new Options(directory, workers, queue, limit, catalogueDelays, rounds, help);
    }

    private static List<Duration> delays(String option, String values) {
        return Arrays.stream(values.split(",", -1))
                .map(value -> Duration.ofMillis(Arguments.number(option, value, 0, 10_000)))
                .toList();
    }

    private static Path directory(Optional<Path> before, String name) {
        if (before.isPresent()) {
            throw new IllegalArgumentException(
                    "only one directory can be audited (was \"" + before.get() + "\" and \"" + name + "\")");
        }
        try {
            if (!name.isEmpty()) {
                return Path.of(name);
            }
        } catch (InvalidPathException ignored) {
            // the message below covers this case
        }
        throw new IllegalArgumentException("not a directory name: \"" + Arguments.printable(name) + "\"");
    }
}
