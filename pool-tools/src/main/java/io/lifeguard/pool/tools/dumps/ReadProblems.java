package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.text.Counted;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects what could not be read in one source, one line for each problem. Keeps the first 1,000 and counts the rest.
 * Not thread-safe.
 */
final class ReadProblems {

    private static final int MOST = 1_000;

    private final String source;
    private final List<String> lines = new ArrayList<>();
    private int more;
    private final List<String> doubts = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    ReadProblems(String source) {
        this.source = source;
    }

    void add(int line, String what) {
        add(source + ":" + line + ": " + what);
    }

    private void add(String text) {
        if (lines.size() < MOST) {
            lines.add(text);
        } else {
            more++;
        }
    }

    /** Adds that a dump ends too early. */
    void addCut(int line, String what) {
        doubt("a dump in it ends too early");
        add(line, what);
    }

    void addAll(ReadProblems others) {
        others.lines.forEach(this::add);
        more += others.more;
        others.doubts.forEach(this::doubt);
    }

    /** Adds why a deadlock may be missing. */
    void doubt(String why) {
        if (doubts.size() < MOST && !doubts.contains(why)) {
            doubts.add(why);
        }
    }

    /** Adds what a form of dump never holds. */
    void note(String what) {
        notes.add(what);
    }

    Set<String> notes() {
        return notes;
    }

    /** Returns why a deadlock may be missing; empty where none can be. */
    List<String> doubts() {
        return List.copyOf(doubts);
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
