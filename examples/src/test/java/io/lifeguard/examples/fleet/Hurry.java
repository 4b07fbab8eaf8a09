package io.lifeguard.examples.fleet;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Rules and configuration with shorter times, so that a test takes a minute and not an hour: what an alert waits for,
 * and what a rate looks at, is divided by 120, and is not less than 20 s and 10 s. Nothing else is changed. Stateless.
 */
final class Hurry {

    private static final int FACTOR = 120;

    /** In less, a moment in which the machine does something else looks like an illness. */
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(20);

    /** A rate over less says little. */
    private static final Duration SHORTEST_RANGE = Duration.ofSeconds(10);

    private static final Pattern FOR = Pattern.compile("(?m)^(\\s*for:\\s*)(\\d+)([smhd]) *$");
    private static final Pattern RANGE = Pattern.compile("(\\[)(\\d+)([smhd])(?=[]:])");
    private static final Pattern INTERVAL = Pattern.compile("(?m)^(\\s*(?:scrape|evaluation)_interval:\\s*)\\w+");

    private Hurry() {}

    static String rules(String yaml) {
        String shorter = FOR.matcher(yaml).replaceAll(found -> found.group(1) + millis(found, SHORTEST_WAIT));
        return RANGE.matcher(shorter).replaceAll(found -> found.group(1) + millis(found, SHORTEST_RANGE));
    }

    static String config(String yaml) {
        return INTERVAL.matcher(yaml).replaceAll(found -> found.group(1) + "500ms");
    }

    private static String millis(MatchResult found, Duration shortest) {
        Duration length = Duration.parse(
                        found.group(3).equals("d")
                                ? "P" + found.group(2) + "D"
                                : "PT" + found.group(2) + found.group(3).toUpperCase(Locale.ROOT))
                .dividedBy(FACTOR);
        return Math.max(length.toMillis(), shortest.toMillis()) + "ms";
    }
}
