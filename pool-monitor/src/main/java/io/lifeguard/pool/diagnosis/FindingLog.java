package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes findings to the log. Confined to the monitor's thread, which hands the lines over to {@link LogLines}.
 *
 * <p>There is a line when a finding is raised, and a line when it is resolved. Reminders come in between, at most one a
 * minute or as often as users want. A finding that is raised again within that time of its last line counts as a
 * reminder, if it lasts. A finding that has become more severe than its last line said gets a line at once. So a
 * severity that goes up and down makes at most one line of each kind a minute. A finding that can no longer be checked
 * gets one line that says so. Each line about a present finding is followed by a line that says that it is over, and
 * whether that was seen.
 *
 * <p>Key-values are numbers and short texts, because Logback prints them before each line by default. Lists, mostly
 * stacks, are left out: the finding itself has them.
 */
final class FindingLog implements FindingListener {

    /** Lines for a size that is named and taken back, between two reminders. A judgement: more are not read. */
    private static final int MOST_SIZE_LINES = 2;

    private final MonitorClock clock;
    private final Supplier<Duration> reminder;
    private final Consumer<Consumer<Logger>> lines;
    private final Map<Subject, Story> stories = new HashMap<>();

    FindingLog(MonitorClock clock, Supplier<Duration> reminder) {
        this(clock, reminder, LogLines.MONITOR);
    }

    /**
     * Writes findings to the log.
     *
     * @param lines writes the lines, in order; may do so later
     */
    FindingLog(MonitorClock clock, Supplier<Duration> reminder, Consumer<Consumer<Logger>> lines) {
        this.lines = lines;
        this.clock = clock;
        this.reminder = reminder;
    }

    /** Notes that the log has a line about a finding already. Called before the first news. */
    void noteSaid(String pool, String id, Severity severity) {
        Story story = new Story(clock.nanoTime());
        story.said(story.begin, severity);
        stories.put(new Subject(pool, id), story);
    }

    @Override
    public void raised(Finding finding) {
        long now = clock.nanoTime();
        for (Iterator<Story> each = stories.values().iterator(); each.hasNext(); ) {
            Story known = each.next();
            if (known.isOver && isTimeSince(known.lastLine, now)) {
                each.remove();
            }
        }
        Story story = stories.getOrDefault(Subject.of(finding), new Story(now));
        stories.put(Subject.of(finding), story);
        story.isOver = false;
        story.isUnchecked = false;
        story.windows += story.timesRaised == 0 ? 0 : 1;
        story.timesRaised++;
        story.isSized = finding.recommendedSize().isPresent();
        if (story.lines == 0) {
            story.said(now, finding.severity());
            write(level(finding), finding, sentences(finding));
        } else {
            sayIfWorse(story, finding, now);
        }
    }

    @Override
    public void updated(Finding finding) {
        long now = clock.nanoTime();
        Story story = stories.get(Subject.of(finding));
        if (story != null && finding.evidence().containsKey(FindingLife.NOT_CHECKED)) {
            sayUnchecked(story, finding, now);
        } else if (story != null) {
            story.windows++;
            story.isUnchecked = false;
            boolean isDue = isTimeSince(story.lastLine, now);
            if (!sayIfWorse(story, finding, now) && (isDue || story.isNews(finding))) {
                story.sizeLines = isDue ? 0 : story.sizeLines + 1;
                story.said(now, finding.severity());
                write(level(finding), finding, story.howOften(now) + sentences(finding));
            }
        }
    }

    private void sayUnchecked(Story story, Finding finding, long now) {
        if (!story.isUnchecked) {
            story.isUnchecked = true;
            story.said(now, story.severity);
            write(level(finding), finding, sentence(finding.summary()));
        }
    }

    private boolean sayIfWorse(Story story, Finding finding, long now) {
        Severity severity = finding.severity();
        boolean isWorse = severity.compareTo(story.severity) > 0;
        if (isWorse) {
            story.said(now, severity);
            String became = "became " + severity.name().toLowerCase(Locale.ROOT) + ", ";
            write(level(finding), finding, became + story.howOften(now) + sentences(finding));
        }
        return isWorse;
    }

    @Override
    public void resolved(Finding finding) {
        over(finding, "resolved");
    }

    @Override
    public void ended(Finding finding, String why) {
        over(finding, why);
    }

    private void over(Finding finding, String why) {
        long now = clock.nanoTime();
        Story story = stories.get(Subject.of(finding));
        if (story != null) {
            story.isOver = true;
            if (story.isOpen || isTimeSince(story.lastLine, now)) {
                story.said(now, story.severity);
                story.isOpen = false;
                write(
                        Level.INFO,
                        finding,
                        LogText.clean(why) + ", " + story.howOften(now) + "it was: " + sentence(finding.summary()));
            }
        }
    }

    private void write(Level level, Finding finding, String text) {
        lines.accept(new Line(level, finding, text));
    }

    private record Line(Level level, Finding finding, String text) implements Consumer<Logger> {
        @Override
        public void accept(Logger log) {
            write(log, level, finding, text);
        }
    }

    private static void write(Logger log, Level level, Finding finding, String text) {
        LoggingEventBuilder event = log.atLevel(level)
                .addKeyValue("pool", LogText.clean(finding.pool()))
                .addKeyValue("finding", LogText.clean(finding.id()))
                .addKeyValue("severity", finding.severity())
                .addKeyValue("since", finding.since());
        if (finding.recommendedSize().isPresent()) {
            event = event.addKeyValue(
                    "recommendedSize", finding.recommendedSize().getAsInt());
        }
        for (Map.Entry<String, Object> entry : finding.evidence().entrySet()) {
            if (isShort(entry.getValue())) {
                event = event.addKeyValue(LogText.clean(entry.getKey()), value(entry.getValue()));
            }
        }
        event.log("pool " + LogText.name(finding.pool()) + ": " + text + " [" + LogText.clean(finding.id()) + "]");
    }

    private static boolean isShort(Object value) {
        return !(value instanceof Iterable
                || value instanceof Map
                || value.getClass().isArray());
    }

    private static Object value(Object value) {
        boolean harmless = value instanceof Boolean
                || value instanceof Duration
                || (value instanceof Number && value.getClass().getName().startsWith("java."));
        return harmless ? value : LogText.shortened(text(value));
    }

    /** The text of a user's object. An object that throws from toString does not cost the line. */
    private static String text(Object value) {
        try {
            return String.valueOf(value);
        } catch (Throwable e) {
            return "(" + value.getClass().getName() + ", whose toString failed)";
        }
    }

    private static String sentences(Finding finding) {
        return sentence(finding.summary()) + (finding.advice().isBlank() ? "" : " " + sentence(finding.advice()));
    }

    private static String sentence(String text) {
        String clean = LogText.clean(text.strip());
        return clean.endsWith(".") ? clean : clean + ".";
    }

    private static Level level(Finding finding) {
        return switch (finding.severity()) {
            case INFO -> Level.INFO;
            case WARNING -> Level.WARN;
            case CRITICAL -> Level.ERROR;
        };
    }

    private boolean isTimeSince(long then, long now) {
        return Duration.ofNanos(now - then).compareTo(reminder.get()) >= 0;
    }

    private record Subject(String pool, String id) {
        static Subject of(Finding finding) {
            return new Subject(finding.pool(), finding.id());
        }

        /**
         * Not the equals method of records: the JDK caches that by class, and would keep the class loader reachable.
         */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Subject subject && pool.equals(subject.pool) && id.equals(subject.id);
        }

        @Override
        public int hashCode() {
            return 31 * pool.hashCode() + id.hashCode();
        }
    }

    /** What the log has said of one finding of one pool. */
    private static final class Story {
        private final long begin;
        private long lastLine;
        private Severity severity = Severity.INFO; // in the last line
        private int lines;
        private int timesRaised;
        private int windows; // in which it was raised, without the first one
        private int sizeLines; // because of a size, since the last reminder
        private boolean isSized; // the latest finding has a size
        private boolean isOver;
        private boolean isUnchecked; // the log has said so since it was last found
        private boolean isOpen; // the last line says that the finding holds

        Story(long begin) {
            this.begin = begin;
        }

        /** Whether a size was named or taken back, and that was not said too often. */
        boolean isNews(Finding finding) {
            boolean wasSized = isSized;
            isSized = finding.recommendedSize().isPresent();
            return wasSized != isSized && sizeLines < MOST_SIZE_LINES;
        }

        void said(long now, Severity what) {
            lastLine = now;
            severity = what;
            isOpen = true;
            lines++;
        }

        String howOften(long now) {
            String often = timesRaised == 1 ? "" : Units.format(", raised %,d times", timesRaised);
            return Units.format(
                    "seen in %s of the last %s%s; ",
                    Counted.of(Math.max(1, windows), "window"), Units.time((now - begin) / 1e9), often);
        }
    }
}
