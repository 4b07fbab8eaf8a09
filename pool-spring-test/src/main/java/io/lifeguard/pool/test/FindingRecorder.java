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
 * Records the findings that a monitor raises while it is open. Thread-safe.
 *
 * <pre>{@code
 * try (FindingRecorder recorder = FindingRecorder.start()) {
 *     … // work, for some windows at least
 *     recorder.assertNone();
 * }
 * }</pre>
 *
 * <p>A finding has to last for some windows, three of them as a rule, and a pool is not judged in its first three. So a test sees something only if
 * it works for six windows and more: those of the monitor are a second long unless told otherwise, see
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
     * Records what the monitor of this JVM raises from now on.
     *
     * @return a recorder, to be closed
     */
    public static FindingRecorder start() {
        return start(PoolMonitor.global());
    }

    /**
     * Records what a monitor raises from now on.
     *
     * @param monitor the monitor, not null
     * @return a recorder, to be closed
     */
    public static FindingRecorder start(PoolMonitor monitor) {
        return new FindingRecorder(Objects.requireNonNull(monitor, "monitor must not be null"));
    }

    /**
     * What was raised since the start, or became more severe, each as it was at its worst.
     *
     * @return a new list, in the order in which they were raised, or became so severe
     */
    public List<Finding> findings() {
        return List.copyOf(raised);
    }

    /**
     * Asserts that nothing was raised that is a warning or worse.
     *
     * @throws AssertionError if something was; the message has each finding's pool, summary, advice and evidence
     */
    public void assertNone() {
        assertNone(finding -> finding.severity().compareTo(Severity.WARNING) >= 0);
    }

    /**
     * Asserts that none of these was raised.
     *
     * @param matter which findings matter, not null
     * @throws AssertionError if one was; the message has each finding's pool, summary, advice and evidence
     */
    public void assertNone(Predicate<? super Finding> matter) {
        List<Finding> bad = raised.stream().filter(matter).toList();
        if (!bad.isEmpty()) {
            throw new AssertionError("expected no findings, but there were " + bad.size() + ":"
                    + bad.stream().map(FindingRecorder::line).collect(Collectors.joining()));
        }
    }

    private static String line(Finding finding) {
        return System.lineSeparator() + "  " + finding.severity() + " pool '" + finding.pool() + "': "
                + finding.summary() + ". " + finding.advice() + ". [" + finding.id() + "] " + finding.evidence();
    }

    /** Records no more. What was recorded is kept. */
    @Override
    public void close() {
        monitor.removeListener(listener);
    }
}
