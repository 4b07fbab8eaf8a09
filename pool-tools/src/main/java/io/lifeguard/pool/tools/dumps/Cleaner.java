package io.lifeguard.pool.tools.dumps;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes away what logs, trackers, mails and shells put around the lines of dumps, before a reader sees them. Not
 * thread-safe.
 *
 * <p>A prefix is what stands before something that only a dump has. Lines whose prefixes differ in more than digits
 * come from different programs, so each such kind of prefix has a reader of its own.
 */
final class Cleaner {

    /** A log with more different prefixes has lines of dumps in its messages by chance. */
    private static final int MOST_PREFIXES = 200;

    /** The container runtime's mark of a line, or of a part of one: {@code 2026-03-02T10:15:00.1Z stdout P }. */
    private static final Pattern RUNTIME = Pattern.compile("^\\S{10,40} (?:stdout|stderr) ([FP])(?: |$)");

    /** Lines of a mail in quoted-printable end with this character where the mail program has wrapped them. */
    private static final char SOFT_BREAK = '=';

    private final Supplier<TextDumpReader> readers;
    private final Taken taken;
    private final Map<String, UnwrappedLines> byPrefix = new LinkedHashMap<>();
    private final Map<String, String> examples = new LinkedHashMap<>();
    private final StringBuilder partial = new StringBuilder(); // the first parts of a line that goes on in the next
    private UnwrappedLines current;
    private String currentPrefix = "";

    Cleaner(Supplier<TextDumpReader> readers, Taken taken) {
        this.readers = readers;
        this.taken = taken;
        this.current = new UnwrappedLines(readers.get(), taken);
        byPrefix.put("", current);
    }

    /** Ends all dumps. */
    void end(String why) {
        if (!partial.isEmpty()) {
            String rest = partial.toString();
            partial.setLength(0);
            clean(0, rest);
        }
        byPrefix.values().forEach(lines -> lines.end(why));
    }

    /** Reads the next line of the source. */
    void read(int number, String raw) {
        String line = raw;
        if (taken.has("quoted-printable") && isSoftBreak(line)) {
            partial.append(line, 0, line.length() - 1);
            taken.add("quoted-printable");
            return;
        }
        if (line.length() > 20 && Character.isDigit(line.charAt(0))) {
            Matcher runtime = RUNTIME.matcher(line);
            if (runtime.find()) {
                line = line.substring(runtime.end());
                taken.add("a container runtime's prefix");
                if (runtime.group(1).equals("P")) {
                    partial.append(line);
                    return;
                }
            }
        }
        if (!partial.isEmpty()) {
            line = partial.append(line).toString();
            partial.setLength(0);
        }
        clean(number, line);
    }

    private boolean isSoftBreak(String line) {
        int length = line.length();
        return length > 60
                && length < 79
                && line.charAt(length - 1) == SOFT_BREAK
                && line.charAt(length - 2) != SOFT_BREAK;
    }

    private void clean(int number, String quoted) {
        String line = quoted.endsWith("\"")
                ? taken.ifChanged("quotes around messages", quoted, Fields.unquoted(quoted))
                : quoted;
        if (Unescaped.isPlain(line)) {
            route(number, line);
            return;
        }
        for (String each : Unescaped.lines(line, taken)) {
            route(number, each);
        }
    }

    private void route(int number, String line) {
        int start = DumpLines.start(line);
        if (start < 0) {
            routeOther(number, line);
            return;
        }
        String prefix = kind(line, start);
        if (prefix.isEmpty()) {
            if (start > 0 && DumpLines.firstNonBlank(line, 0) < start) {
                taken.add("numbers before lines");
            }
        } else {
            taken.add(examples.computeIfAbsent(
                    prefix, key -> "a prefix like \"" + line.substring(0, start).strip() + "\""));
            select(prefix);
        }
        current.read(number, line.substring(start).stripTrailing(), true);
    }

    /** A line that is not of a dump, an empty one, or the rest of a wrapped one. */
    private void routeOther(int number, String line) {
        if (byPrefix.size() > 1) {
            for (Map.Entry<String, UnwrappedLines> each : byPrefix.entrySet()) {
                int end = each.getKey().isEmpty() ? -1 : endOfPrefix(line, each.getKey());
                if (end >= 0) {
                    select(each.getKey());
                    current.read(number, rest(line.substring(end)), false);
                    return;
                }
            }
        }
        current.read(number, rest(line), false);
    }

    /** The end of a quote around nothing is nothing. */
    private static String rest(String line) {
        String rest = line.strip();
        return rest.equals("\"") || rest.equals("\" +") || rest.equals("\",") ? "" : rest;
    }

    private void select(String prefix) {
        if (!prefix.equals(currentPrefix) && (byPrefix.containsKey(prefix) || byPrefix.size() < MOST_PREFIXES)) {
            currentPrefix = prefix;
            current = byPrefix.computeIfAbsent(prefix, key -> new UnwrappedLines(readers.get(), taken));
        }
    }

    /**
     * Returns what of a prefix is the same in all lines: neither digits, nor spaces, nor what stands between digits.
     */
    private static String kind(String line, int end) {
        StringBuilder kind = new StringBuilder();
        for (int i = 0; i < end; i++) {
            char next = line.charAt(i);
            if (counts(next)) {
                kind.append(next);
            }
        }
        return kind.toString();
    }

    private static boolean counts(char character) {
        return character > ' ' && (character < '0' || character > '9') && "+-:.,_/".indexOf(character) < 0;
    }

    /** Returns the index behind a prefix of this kind; -1 where the line does not begin with one. */
    private static int endOfPrefix(String line, String kind) {
        int matched = 0;
        int i = 0;
        while (i < line.length() && matched < kind.length()) {
            char next = line.charAt(i);
            if (counts(next)) {
                if (next != kind.charAt(matched)) {
                    return -1;
                }
                matched++;
            }
            i++;
        }
        if (matched < kind.length()) {
            return -1;
        }
        while (i < line.length() && !counts(line.charAt(i)) && line.charAt(i) != ' ') {
            i++; // the rest of a time, and a colon
        }
        return i;
    }

    List<String> taken() {
        return taken.words();
    }
}
