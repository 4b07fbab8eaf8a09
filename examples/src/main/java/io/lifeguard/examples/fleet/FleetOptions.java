package io.lifeguard.examples.fleet;

import io.lifeguard.examples.Arguments;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The options of a fleet member. Immutable.
 *
 * @param port the port of the metrics page; 0 for any free port
 * @param sicknesses the problems of this instance
 * @param haste the factor by which findings come faster than in production
 * @param release the version of the application, which all meters have as a tag
 * @param help whether to print the usage and do nothing else
 */
record FleetOptions(int port, List<Sickness> sicknesses, int haste, String release, boolean help) {

    private static final int DEFAULT_PORT = 9401;
    private static final String DEFAULT_RELEASE = "1.0.0";

    /** Copies the list. */
    FleetOptions {
        sicknesses = List.copyOf(sicknesses);
    }

    static String usage() {
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, """
                Usage: java -jar examples.jar fleet-member [options]

                An application with a healthy pool, "%s", and a pool for each sickness, which serves
                http://127.0.0.1:PORT/metrics for Prometheus until it is stopped.

                  --port N           the port, 0 to 65535; 0 takes any free port (default: %d)
                  --sickness LIST    the problems, separated by commas (default: none)
                  --haste N          findings come N times faster than in production, 1 to 10:
                                     windows are shorter, a pool counts as oversized after fewer
                                     windows, and a task counts as stuck sooner (default: 1)
                  --release TEXT     the application's version, a tag of all meters (default: %s)
                  --help             prints this

                Sicknesses, each in its own pool:

                """, Ward.HEALTHY, DEFAULT_PORT, DEFAULT_RELEASE));
        for (Sickness sickness : Sickness.values()) {
            text.append(String.format("  %-12s %-9s %s%n", sickness.id(), sickness.pool(), sickness.summary()));
        }
        return text.toString();
    }

    /**
     * Reads {@code --name value} or {@code --name=value}.
     *
     * @throws IllegalArgumentException if an option is unknown or has an invalid value; the message names both
     */
    static FleetOptions parse(List<String> arguments) {
        int port = DEFAULT_PORT;
        int haste = 1;
        List<Sickness> sicknesses = List.of();
        String release = DEFAULT_RELEASE;
        boolean help = false;
        Arguments left = new Arguments(arguments);
        while (!left.isEmpty()) {
            String option = left.option();
            switch (option) {
                case "--port" -> port = left.number(option, 0, 65_535);
                case "--haste" -> haste = left.number(option, 1, 10);
                case "--release" -> release = left.value(option);
                case "--sickness" -> sicknesses = sicknesses(left.value(option));
                case "--help", "-h" -> help = true;
                default -> throw Arguments.unknown(option);
            }
        }
        return new FleetOptions(port, sicknesses, haste, release, help);
    }

    private static List<Sickness> sicknesses(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(id -> Sickness.of(id)
                        .orElseThrow(() -> new IllegalArgumentException("--sickness must be one of " + Sickness.ids()
                                + " (was \"" + Arguments.printable(id) + "\")")))
                .distinct()
                .toList();
    }
}
