package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The agent's arguments: pairs of a key and a value with commas between them. The keys are those of the library's
 * properties, with or without {@code lifeguard.} in front. Immutable.
 *
 * <table>
 * <caption>The keys</caption>
 * <tr><td>{@code window}</td><td>how long windows are at most, such as 500ms or 1s</td></tr>
 * <tr><td>{@code log-reminder}</td><td>how often the log repeats a finding that lasts, such as 1m</td></tr>
 * <tr><td>{@code black-box.directory}</td><td>where the minute before a critical finding is written</td></tr>
 * <tr><td>{@code page.port}</td><td>the port of the live page on this machine; 0 for any</td></tr>
 * <tr><td>{@code rules.ID}</td><td>false switches the finding of that id off</td></tr>
 * <tr><td>{@code thresholds.KEY}</td><td>a number that a rule compares with</td></tr>
 * </table>
 */
final class Options {

    private static final String PREFIX = "lifeguard.";
    private static final String RULES = "rules.";
    private static final String THRESHOLDS = "thresholds.";
    private static final int MOST_PORT = 65_535;

    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads the agent's argument.
     *
     * @throws IllegalArgumentException if a key is unknown, or a value is none of its kind
     */
    static Options parse(String arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : arguments.split(",", -1)) {
            if (pair.isBlank()) {
                continue;
            }
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("an argument must be key=value (was \"" + pair.strip() + "\")");
            }
            String key = pair.substring(0, equals).strip();
            String value = pair.substring(equals + 1).strip();
            key = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
            check(key, value);
            values.put(key, value);
        }
        return new Options(values);
    }

    private static void check(String key, String value) {
        if (key.startsWith(RULES)) {
            if (!value.equals("true") && !value.equals("false")) {
                throw refused(key, "true or false", value, null);
            }
            known(key, key.substring(RULES.length()), Rule::ids);
        } else if (key.startsWith(THRESHOLDS)) {
            threshold(key, value);
            known(key, key.substring(THRESHOLDS.length()), Options::thresholds);
        } else {
            switch (key) {
                case "window", "log-reminder" -> duration(key, value);
                case "page.port" -> port(value);
                case "black-box.directory" -> directory(value);
                default ->
                    throw new IllegalArgumentException("there is no key \"" + key + "\": choose window,"
                            + " log-reminder, black-box.directory, page.port, rules.ID or thresholds.KEY");
            }
        }
    }

    /** Loads the rules, so only where an argument is about one. */
    private static void known(String key, String name, Function<Rule, Set<String>> names) {
        if (PoolMonitor.standardRules().stream()
                .noneMatch(rule -> names.apply(rule).contains(name))) {
            throw new IllegalArgumentException("there is no key \"" + key + "\": no finding has that "
                    + (key.startsWith(RULES) ? "name" : "threshold"));
        }
    }

    private static Set<String> thresholds(Rule rule) {
        return rule.thresholds().stream().map(Threshold::key).collect(Collectors.toSet());
    }

    private static IllegalArgumentException refused(String key, String kind, String value, @Nullable Exception cause) {
        return new IllegalArgumentException(key + " must be " + kind + " (was \"" + value + "\")", cause);
    }

    private static double threshold(String key, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw refused(key, "a number", value, e);
        }
    }

    private static Path directory(String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw refused("black-box.directory", "a path", value, e);
        }
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port < 0 || port > MOST_PORT) {
                throw refused("page.port", "between 0 and " + MOST_PORT, value, null);
            }
            return port;
        } catch (NumberFormatException e) {
            throw refused("page.port", "a number", value, e);
        }
    }

    /** A number with ms, s, m or h, or a duration of ISO 8601. */
    static Duration duration(String key, String value) {
        int digits = 0;
        while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
            digits++;
        }
        try {
            if (digits == 0) {
                return Duration.parse(value);
            }
            long number = Long.parseLong(value.substring(0, digits));
            return switch (value.substring(digits)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> throw refused(key, "a time such as 500ms, 1s or 1m", value, null);
            };
        } catch (DateTimeParseException | NumberFormatException e) {
            throw refused(key, "a time such as 500ms, 1s or 1m", value, e);
        }
    }

    OptionalInt pagePort() {
        String port = values.get("page.port");
        return port == null ? OptionalInt.empty() : OptionalInt.of(port(port));
    }

    /** Sets what the arguments say. A value out of its range is said in the log, and the default stays. */
    void apply(PoolMonitor monitor) {
        for (Map.Entry<String, String> each : values.entrySet()) {
            try {
                apply(monitor, each.getKey(), each.getValue());
            } catch (IllegalArgumentException e) {
                AgentLog.say(Level.WARN, "the argument " + each.getKey() + " has no effect: " + e.getMessage());
            }
        }
    }

    private static void apply(PoolMonitor monitor, String key, String value) {
        if (key.startsWith(RULES)) {
            if (value.equals("false")) {
                monitor.switchOff(key.substring(RULES.length()));
            }
        } else if (key.startsWith(THRESHOLDS)) {
            monitor.threshold(key.substring(THRESHOLDS.length()), threshold(key, value));
        } else if (key.equals("window")) {
            monitor.window(duration(key, value));
        } else if (key.equals("log-reminder")) {
            monitor.reminder(duration(key, value));
        } else if (key.equals("black-box.directory")) {
            monitor.blackBox(directory(value));
        }
    }
}
