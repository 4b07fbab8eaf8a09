package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.text.Counted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what was taken away from around the lines of dumps, by its kind. Not thread-safe. */
final class Taken {

    private final Map<String, Integer> lines = new LinkedHashMap<>();

    void add(String kind) {
        lines.merge(kind, 1, Integer::sum);
    }

    boolean has(String kind) {
        return lines.containsKey(kind);
    }

    /** Returns what is left, and counts a line where something was taken from it. */
    String ifChanged(String kind, String before, String after) {
        if (!after.equals(before)) {
            add(kind);
        }
        return after;
    }

    /** Returns for instance {@code a prefix like "shop-1 | " (85 lines)}. */
    List<String> words() {
        return lines.entrySet().stream()
                .map(entry -> entry.getKey() + " (" + Counted.of(entry.getValue(), "line") + ")")
                .toList();
    }
}
