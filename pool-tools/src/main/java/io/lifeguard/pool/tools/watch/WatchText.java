package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Writes what a watch sees as text for people. Names come from other programs, so characters that steer a terminal are
 * written as escapes. Immutable.
 */
public final class WatchText {

    /** Where no terminal tells its width, and as the narrowest. */
    public static final int USUAL_WIDTH = 80;

    private static final int NUMBERS = 60; // columns
    private static final int LIMIT = 12;
    private static final int ROOM_FOR_LIMIT = 100; // columns, from which on the limit is shown
    private static final int ROOM_FOR_PLACE = 120;
    private static final int WIDEST_NAME = 40;

    private static final String RED = "\u001b[1;31m";
    private static final String YELLOW = "\u001b[33m";
    private static final String BLUE = "\u001b[36m";
    private static final String PLAIN = "\u001b[0m";

    private static final String PLACE = "most busy threads are at";

    /** Deeper than the beginning of each sentence of a finding, so that the sentences are told apart. */
    private static final String CONTINUED = "    ";

    /** How many threads do something, in columns from left to right. */
    private static final List<Column> COLUMNS = List.of(
            new Column(Doing.IDLE, "idle"),
            new Column(Doing.COMPUTING, "cpu"),
            new Column(Doing.WAITING_FOR_CPU, "ready"),
            new Column(Doing.WAITING_FOR_LOCK, "lock"),
            new Column(Doing.WAITING_FOR_RESULT, "await"),
            new Column(Doing.WAITING_IN_LINE, "line"),
            new Column(Doing.WAITING_OUTSIDE, "out"),
            new Column(Doing.SLEEPING, "sleep"),
            new Column(Doing.UNKNOWN, "?"));

    private record Column(Doing doing, String title) {}

    private final int width;
    private final boolean isColoured;
    private final PoolOrder order;

    /** Makes a writer without colours, of the pools with most busy threads first. */
    public WatchText(int width) {
        this(width, false, PoolOrder.BUSY);
    }

    /**
     * Makes a writer.
     *
     * @param width columns; fewer than {@value #USUAL_WIDTH} count as {@value #USUAL_WIDTH}
     * @param isColoured whether pools with findings have the colour of the most severe one
     */
    public WatchText(int width, boolean isColoured, PoolOrder order) {
        this.width = Math.max(USUAL_WIDTH, width);
        this.isColoured = isColoured;
        this.order = order;
    }

    /** {@return the process in one line, and its pools in a table, those with most busy threads first} */
    public List<String> table(Watch watch) {
        List<PoolView> pools = watch.pools();
        return table(process(watch, pools), pools);
    }

    /** {@return a line about the whole, and pools in a table, those with most busy threads first} */
    public List<String> table(String title, List<PoolView> all) {
        List<PoolView> pools = all.stream().sorted(order.comparator()).toList();
        int nameWidth = nameWidth(pools);
        List<String> lines = new ArrayList<>();
        lines.add(cut(title));
        lines.add(cut(header(nameWidth)));
        pools.forEach(pool -> lines.add(painted(pool.findings(), cut(row(pool, nameWidth)))));
        if (pools.isEmpty()) {
            lines.add("  no thread of a pool that this program knows");
        }
        return List.copyOf(lines);
    }

    /** In the colour of the most severe finding: the names of other programs have lost their own escapes before. */
    private String painted(List<Finding> findings, String line) {
        if (!isColoured || findings.isEmpty()) {
            return line;
        }
        boolean isCritical = findings.stream().anyMatch(finding -> finding.severity() == Severity.CRITICAL);
        boolean isWarning = findings.stream().anyMatch(finding -> finding.severity() == Severity.WARNING);
        return (isCritical ? RED : isWarning ? YELLOW : BLUE) + line + PLAIN;
    }

    /** {@return how busy each pool was in the last minute, the latest second last, in a line each} */
    public List<String> history(PoolHistory history) {
        List<String> lines = new ArrayList<>();
        int nameWidth = Math.min(WIDEST_NAME, width - PoolHistory.WINDOWS - 4);
        history.bars().forEach((pool, bars) -> lines.add(pad(LogText.clean(pool), nameWidth) + "  " + bars));
        return lines;
    }

    /** {@return a time of day, always with its seconds} */
    public static String time(LocalTime time) {
        return String.format(Locale.ROOT, "%tT", time);
    }

    private String process(Watch watch, List<PoolView> pools) {
        StringBuilder line = new StringBuilder("process " + watch.target().pid());
        Optional<ProcessWindow> process = pools.stream()
                .flatMap(pool -> pool.window().stream())
                .map(PoolWindow::process)
                .findFirst();
        process.filter(what -> what.cpu().isPresent())
                .ifPresent(what -> line.append(Units.format(
                        ", %.1f of %s busy",
                        what.cpu().orElse(0), Counted.of(Units.count(what.cores()), "CPU", "CPUs"))));
        process.flatMap(ProcessWindow::throttled)
                .filter(time -> !time.isZero())
                .ifPresent(time -> line.append(", throttled for ").append(Units.time(time)));
        return line.append(", ")
                .append(Counted.of(pools.size(), "pool"))
                .append("; a dump each ")
                .append(Units.time(watch.pause()))
                .append(": ")
                .append(LogText.shortened(watch.target().program()))
                .toString();
    }

    private int nameWidth(List<PoolView> pools) {
        int longest = pools.stream()
                .mapToInt(pool -> LogText.clean(pool.name()).length())
                .max()
                .orElse(0);
        int room = width - NUMBERS - 1;
        if (width >= ROOM_FOR_LIMIT) {
            room -= LIMIT + 2;
        }
        if (width >= ROOM_FOR_PLACE) {
            room -= PLACE.length();
        }
        return Math.max(6, Math.min(Math.min(room, WIDEST_NAME), longest));
    }

    private String header(int nameWidth) {
        StringBuilder line = new StringBuilder(pad("pool", nameWidth)).append(" thrds");
        COLUMNS.forEach(column -> line.append(String.format(Locale.ROOT, "%6s", column.title)));
        if (width >= ROOM_FOR_LIMIT) {
            line.append("  ").append(pad("limit", LIMIT));
        }
        if (width >= ROOM_FOR_PLACE) {
            line.append(PLACE);
        }
        return line.toString().stripTrailing();
    }

    private String row(PoolView pool, int nameWidth) {
        StringBuilder line = new StringBuilder(pad(LogText.clean(pool.name()), nameWidth))
                .append(String.format(Locale.ROOT, "%6d", pool.workers()));
        COLUMNS.forEach(column -> line.append(String.format(Locale.ROOT, "%6s", number(pool.threads(column.doing)))));
        if (width >= ROOM_FOR_LIMIT) {
            line.append("  ").append(pad(limit(pool), LIMIT));
        }
        if (width >= ROOM_FOR_PLACE) {
            line.append(pool.busiestPlace()
                    .map(share -> LogText.clean(share.place()))
                    .orElse(""));
        }
        return line.toString().stripTrailing();
    }

    private static String number(OptionalDouble threads) {
        if (threads.isEmpty()) {
            return "?";
        }
        double value = threads.getAsDouble();
        return value < 0.05 ? "." : String.format(Locale.ROOT, value < 1000 ? "%.1f" : "%.0f", value);
    }

    private static String limit(PoolView pool) {
        if (!pool.kind().isJudged() || pool.kind() == PoolKind.EVENT_LOOPS) {
            return pool.kind().isJudged() ? "(loops)" : "(not judged)";
        }
        Bottleneck limit = pool.window().map(PoolWindow::bottleneck).orElse(Bottleneck.UNKNOWN);
        return limit == Bottleneck.UNKNOWN
                ? "?"
                : limit.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@return a finding in the library's words, with how certain it is, in lines that fit} */
    public List<String> finding(Finding finding) {
        return finding(finding, Certainty.of(finding));
    }

    /** {@return a finding in the library's words, with how certain it is, in lines that fit} */
    public List<String> finding(Finding finding, Certainty certainty) {
        List<String> lines = new ArrayList<>(measured(finding));
        wrap(lines, "  ", certainty.level() + ": " + certainty.why());
        return lines;
    }

    /** {@return a finding of the library in the program, which knows all that the rule wants, in lines that fit} */
    public List<String> measured(Finding finding) {
        List<String> lines = new ArrayList<>();
        OptionalInt low = finding.sizeLow();
        OptionalInt high = finding.sizeHigh();
        String size = low.isEmpty() || high.isEmpty()
                ? ""
                : low.equals(high)
                        ? " (size " + low.getAsInt() + ")"
                        : Units.format(" (size between %d and %d)", low.getAsInt(), high.getAsInt());
        wrap(
                lines,
                "",
                Units.format(
                        "%s pool %s: %s. [%s]",
                        finding.severity(), LogText.name(finding.pool()), finding.summary(), finding.id()));
        lines.replaceAll(line -> painted(List.of(finding), line));
        wrap(lines, "  ", finding.advice() + size);
        return lines;
    }

    /**
     * {@return for a pool that is limited by something, and has no finding, what keeps the rules from judging it, in
     * lines that fit; empty for others}
     */
    public List<String> undecided(PoolView pool) {
        Bottleneck limit = pool.window().map(PoolWindow::bottleneck).orElse(Bottleneck.UNKNOWN);
        boolean isLimited = limit != Bottleneck.UNKNOWN && limit != Bottleneck.NONE;
        List<String> lines = new ArrayList<>();
        if (pool.kind().isJudged()
                && isLimited
                && pool.findings().isEmpty()
                && !pool.missing().isEmpty()) {
            wrap(
                    lines,
                    "",
                    "pool " + LogText.name(pool.name()) + " is limited (" + limit(pool)
                            + "), but nothing is found. Unknown: " + String.join("; ", pool.missing()));
        }
        return lines;
    }

    /**
     * {@return a text in lines that fit}
     *
     * @param indent blanks before the first line, not null
     */
    public List<String> wrapped(String indent, String text) {
        List<String> lines = new ArrayList<>();
        wrap(lines, indent, text);
        return lines;
    }

    private void wrap(List<String> lines, String indent, String text) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : LogText.clean(text).split(" ", -1)) {
            if (line.length() + 1 + word.length() > width
                    && line.toString().strip().length() > 0) {
                lines.add(line.toString());
                line = new StringBuilder(CONTINUED);
            }
            line.append(line.toString().isBlank() ? "" : " ").append(word);
        }
        lines.add(line.toString());
    }

    private String cut(String line) {
        String clean = LogText.clean(line);
        return clean.length() <= width ? clean : clean.substring(0, width - 3) + "...";
    }

    private static String pad(String text, int length) {
        String cut = text.length() <= length ? text : text.substring(0, Math.max(0, length - 3)) + "...";
        return cut + " ".repeat(length - cut.length());
    }
}
