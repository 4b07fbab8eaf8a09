package io.lifeguard.pool.test;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Records the findings that a monitor raises, from {@link #start()} to {@link #close()}. Thread-safe.
 *
 * <pre>{@code
 * try (FindingRecorder recorder = FindingRecorder.start()) {
 *     … // work for several windows
 *     recorder.assertNone();
 * }
 * }</pre>
 *
 * <p>No finding is raised about a pool in its first three seconds, or three windows if they are shorter than a second.
 * Most findings have to hold for two windows, and some rules look at five seconds. So a test sees findings only if it
 * works for about six windows. A window lasts one second by default: see
 * {@link PoolMonitor#window(java.time.Duration)}.
 */
public final class FindingRecorder implements AutoCloseable {

    private final PoolMonitor monitor;
    private final List<Finding> raised = new CopyOnWriteArrayList<>();
    private final FindingListener listener = new FindingListener() {
        @Override
        public void raised(Finding finding) {
            raised.add(finding);
        }

        @Override
        public void escalated(Finding finding) {
            raised.removeIf(before -> before.pool().equals(finding.pool())
                    && before.id().equals(finding.id())
                    && before.since().equals(finding.since()));
            raised.add(finding);
        }
    };

    private FindingRecorder(PoolMonitor monitor) {
        this.monitor = monitor;
        monitor.addListener(listener);
    }

    /**
     * Begins to record the findings of the monitor of this JVM.
     *
     * @return a recorder, to be closed
     * @throws IllegalStateException if that monitor was closed: it would find nothing, whatever happens
     */
    public static FindingRecorder start() {
        return start(PoolMonitor.global());
    }

    /**
     * Begins to record the findings of a monitor.
     *
     * @param monitor the monitor, not null
     * @return a recorder, to be closed
     * @throws IllegalStateException if the monitor was closed: it would find nothing, whatever happens
     */
    public static FindingRecorder start(PoolMonitor monitor) {
        if (Objects.requireNonNull(monitor, "monitor must not be null").isClosed()) {
            throw new IllegalStateException("the monitor was closed, so it finds nothing: close it after all tests");
        }
        return new FindingRecorder(monitor);
    }

    /**
     * The recorded findings. A finding that became more severe is there once, as it was at its worst.
     *
     * @return a new list, in the order in which the findings were raised or became more severe
     */
    public List<Finding> findings() {
        return List.copyOf(raised);
    }

    /**
     * Asserts that no warning and no critical finding was recorded.
     *
     * @throws AssertionError if there is one; the message has the pool, summary, advice and evidence of each
     */
    public void assertNone() {
        assertNone(finding -> finding.severity().compareTo(Severity.WARNING) >= 0);
    }

    /**
     * Asserts that no finding was recorded that matches a predicate.
     *
     * @param unwanted matches the findings that must not be there, not null
     * @throws AssertionError if there is one; the message has the pool, summary, advice and evidence of each
     */
    public void assertNone(Predicate<? super Finding> unwanted) {
        List<Finding> found = raised.stream().filter(unwanted).toList();
        if (!found.isEmpty()) {
            throw new AssertionError("expected no findings, but there were " + found.size() + ":"
                    + found.stream().map(FindingRecorder::line).collect(Collectors.joining()));
        }
    }

    private static String line(Finding finding) {
        return System.lineSeparator() + "  " + finding.severity() + " pool '" + finding.pool() + "': "
                + finding.summary() + ". " + finding.advice() + ". [" + finding.id() + "] " + finding.evidence();
    }

    /** Stops recording. The recorded findings stay readable. */
    @Override
    public void close() {
        monitor.removeListener(listener);
    }
}
