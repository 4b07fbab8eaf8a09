package io.lifeguard.examples;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.report.LastMinute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;

/**
 * A monitor that remembers every finding it has raised. While it is open the global monitor does not start; otherwise
 * both would log the same findings. Thread-safe.
 */
public final class Lookout implements AutoCloseable {

    /** A quarter of the default, so that a story takes seconds and not minutes. */
    private static final Duration SHORT_WINDOW = Duration.ofMillis(250);

    private final Raised raised = new Raised();
    private final String propertyBefore = System.getProperty(PoolMonitor.PROPERTY);
    private final PoolMonitor monitor;

    private Lookout(PoolMonitor.Builder monitor) {
        System.setProperty(PoolMonitor.PROPERTY, "off");
        this.monitor = monitor.listener(raised).build();
    }

    /** Watches all pools in windows of 250 ms. */
    public static Lookout begin() {
        return new Lookout(PoolMonitor.builder().window(SHORT_WINDOW));
    }

    /** Watches all pools in windows of the given length. A finding needs about seven windows. */
    public static Lookout withWindows(Duration length) {
        return new Lookout(PoolMonitor.builder().window(length));
    }

    /**
     * Watches all pools in windows of 250 ms, and reads the operating system's times of their workers in every window.
     * For pools of at most a hundred workers: reading more would use up the time for other evidence.
     */
    public static Lookout withWorkerTimes() {
        return new Lookout(PoolMonitor.builder().window(SHORT_WINDOW).rule(new AlwaysNeedsWorkerTimes()));
    }

    /** Watches the JDK's common pool as well, and calls it by that name. */
    public void watchCommonPool(String name) {
        monitor.watch(ForkJoinPool.commonPool(), name);
    }

    /** Returns the findings so far about the pool or thread of that name, each in its latest version, oldest first. */
    public List<Finding> findings(String name) {
        return findings().stream()
                .filter(finding -> finding.pool().equals(name))
                .toList();
    }

    /** Returns all findings so far, each in its latest version, oldest first. */
    public List<Finding> findings() {
        return raised.all();
    }

    /** Returns the latest windows of the pool of that name, latest first. */
    public List<PoolWindow> windows(String pool) {
        return monitor.windows(pool);
    }

    /** Returns what the monitor has recorded, up to a minute ago. */
    public LastMinute lastMinute() {
        return LastMinute.of(monitor);
    }

    @Override
    public void close() {
        monitor.close();
        if (propertyBefore == null) {
            System.clearProperty(PoolMonitor.PROPERTY);
        } else {
            System.setProperty(PoolMonitor.PROPERTY, propertyBefore);
        }
    }

    private static final class AlwaysNeedsWorkerTimes implements Rule {
        @Override
        public Verdict examine(PoolWindow window) {
            return Verdict.clear();
        }

        @Override
        public Set<Evidence> needs(PoolWindow window) {
            return Set.of(Evidence.WORKERS);
        }
    }

    private static final class Raised implements FindingListener {
        private final Map<String, Finding> byPoolAndId = new LinkedHashMap<>(); // guarded by this

        @Override
        public synchronized void raised(Finding finding) {
            byPoolAndId.put(finding.pool() + ' ' + finding.id(), finding);
        }

        @Override
        public void updated(Finding finding) {
            raised(finding);
        }

        synchronized List<Finding> all() {
            return new ArrayList<>(byPoolAndId.values());
        }
    }
}
