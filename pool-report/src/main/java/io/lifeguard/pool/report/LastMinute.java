package io.lifeguard.pool.report;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Recorders;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.report.drawing.ProcessName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a monitor saw in one minute at most: long tasks, waits, caller-runs, rejections, looks at workers, windows and
 * findings. Immutable.
 *
 * <p>It can be drawn as an HTML page, alone or beside another one, for instance of the same work after a change. A page
 * is one file and needs no network.
 */
public final class LastMinute {

    private static final String TITLE = "The last minute of all pools";

    private final List<Observation> observations;
    private final String title;

    LastMinute(List<Observation> observations) {
        this(observations, TITLE);
    }

    private LastMinute(List<Observation> observations, String title) {
        this.observations = List.copyOf(observations);
        this.title = title;
    }

    /**
     * {@return what a monitor has recorded in the last minute}
     *
     * <p>It is what {@link PoolMonitor#dump(Path)} writes.
     *
     * @param monitor the monitor, not null
     */
    public static LastMinute of(PoolMonitor monitor) {
        Objects.requireNonNull(monitor, "monitor must not be null");
        return new LastMinute(Recorders.of(monitor).observations(), TITLE + ": " + ProcessName.text());
    }

    /**
     * {@return the same without what began before a moment} A finding from before is kept if it still stands.
     *
     * @param start the moment, not null
     * @throws ArithmeticException if it is before 1678 or after 2261
     */
    public LastMinute since(Instant start) {
        long nanos = Observation.nanos(start);
        Map<List<Object>, FindingChange> earlier =
                new LinkedHashMap<>(); // findings from before, with their latest news
        List<Observation> later = new ArrayList<>();
        for (Observation observation : observations) {
            if (observation instanceof FindingChange change && change.sinceNanos() < nanos) {
                earlier.merge(
                        List.of(change.pool(), change.id(), change.sinceNanos()),
                        change,
                        (one, other) -> other.startNanos() >= one.startNanos() ? other : one);
            } else if (observation.startNanos() >= nanos) {
                later.add(observation);
            }
        }
        earlier.values().stream()
                .filter(change -> change.change() != Change.RESOLVED && change.change() != Change.ENDED)
                .map(change -> from(nanos, change))
                .forEach(later::add);
        return new LastMinute(later, title);
    }

    private static FindingChange from(long nanos, FindingChange change) {
        return new FindingChange(
                Math.max(nanos, change.startNanos()),
                change.pool(),
                change.change(),
                change.why(),
                change.id(),
                change.severity(),
                nanos,
                change.summary(),
                change.advice(),
                change.evidence(),
                change.stack(),
                change.holder(),
                change.recommendedSize(),
                change.sizeLow(),
                change.sizeHigh());
    }

    /**
     * Draws a page. Its title names the application, the host and the process.
     *
     * @param file where to write, not null; a file that is there is replaced
     * @throws IOException if it cannot be written
     */
    public void report(Path file) throws IOException {
        report(file, title);
    }

    /**
     * Draws a page.
     *
     * @param file where to write, not null; a file that is there is replaced
     * @param title what the page is called, not null
     * @throws IOException if it cannot be written
     */
    public void report(Path file, String title) throws IOException {
        PoolReport.of(title, observations).write(file);
    }

    /**
     * Draws a page that shows two minutes on one time axis. Both begin at its start.
     *
     * @param file where to write, not null; a file that is there is replaced
     * @param title what the page is called, not null
     * @param name what this minute is called, for instance {@code before}, not null
     * @param otherName what the other one is called, not null
     * @param other the other one, not null
     * @throws IOException if it cannot be written
     */
    public void reportBeside(Path file, String title, String name, String otherName, LastMinute other)
            throws IOException {
        Objects.requireNonNull(other, "other must not be null");
        PoolReport.comparing(title, name, observations, otherName, other.observations)
                .write(file);
    }

    /** {@return the page of {@link #report}, to be sent as UTF-8} */
    public String html() {
        return PoolReport.of(title, observations).html();
    }
}
