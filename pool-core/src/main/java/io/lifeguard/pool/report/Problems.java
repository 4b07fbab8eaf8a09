package io.lifeguard.pool.report;

import io.lifeguard.pool.text.Counted;
import java.util.ArrayList;
import java.util.List;

/** What could not be read, one line each; of very many the first. Not thread-safe. */
final class Problems {

    private static final int MOST = 1_000;

    private final String source;
    private final List<String> lines = new ArrayList<>();
    private int more;

    Problems(String source) {
        this.source = source;
    }

    void add(int line, String what) {
        if (lines.size() < MOST) {
            lines.add(source + ":" + line + ": " + what);
        } else {
            more++;
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    List<String> lines() {
        List<String> all = new ArrayList<>(lines);
        if (more > 0) {
            all.add(source + ": and " + Counted.of(more, "more line that makes", "more lines that make") + " no sense");
        }
        return all;
    }
}
