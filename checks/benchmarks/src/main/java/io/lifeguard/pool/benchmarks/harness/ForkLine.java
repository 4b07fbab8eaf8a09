package io.lifeguard.pool.benchmarks.harness;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The line with which a fork tells its parent the result: {@code LIFEGUARD|key=value|key=value}. */
final class ForkLine {
    private static final String PREFIX = "LIFEGUARD|";

    private ForkLine() {}

    static String write(Map<String, String> values) {
        StringBuilder line = new StringBuilder(PREFIX);
        values.forEach((key, value) ->
                line.append(key).append('=').append(value.replace('|', '/')).append('|'));
        return line.toString();
    }

    /** Finds the line in the output of the fork. */
    static Optional<Map<String, String>> find(Iterable<String> output) {
        for (String line : output) {
            if (line.startsWith(PREFIX)) {
                return Optional.of(read(line));
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> read(String line) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : line.substring(PREFIX.length()).split("\\|", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return values;
    }
}
