package io.lifeguard.examples;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.PoolWindow;
import io.lifeguard.pool.diagnosis.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A lifeguard that looks four times a second, so that examples take seconds and not minutes, and that remembers all it has raised. The monitor that
 * starts with the first pool stays away as long as this one is there, or both would log what they find. Thread-safe.
 */
public final class Lookout implements AutoCloseable {

    private static final Duration WINDOW = Duration.ofMillis(250);

    private final Raised raised = new Raised();
    private final String usual = System.getProperty(PoolMonitor.PROPERTY);
    private final PoolMonitor monitor;

    private Lookout(PoolMonitor.Builder monitor) {
        System.setProperty(PoolMonitor.PROPERTY, "off");
        this.monitor = monitor.window(WINDOW).listener(raised).build();
    }

    /** Watches all pools. */
    public static Lookout begin() {
        return new Lookout(PoolMonitor.builder());
    }

    /**
     * Watches all pools, and asks the operating system about their workers in every window, and not only on suspicion. For pools of a hundred
     * workers at most: what this costs is missing for other evidence.
     */
    public static Lookout beginWithThreads() {
        return new Lookout(PoolMonitor.builder().rule(new AlwaysAsks()));
    }

    /** What was raised so far about the pool, or the thread, of that name, each as it was last, in the order of appearance. */
    public List<Finding> findings(String name) {
        return findings().stream()
                .filter(finding -> finding.pool().equals(name))
                .toList();
    }

    /** What was raised so far about anything, each as it was last, in the order of appearance. */
    public List<Finding> findings() {
        return raised.all();
    }

    /** The latest windows of the pool of that name, latest first. */
    public List<PoolWindow> windows(String pool) {
        return monitor.windows(pool);
    }

    @Override
    public void close() {
        monitor.close();
        if (usual == null) {
            System.clearProperty(PoolMonitor.PROPERTY);
        } else {
            System.setProperty(PoolMonitor.PROPERTY, usual);
        }
    }

    private static final class AlwaysAsks implements Rule {
        @Override
        public Optional<Finding> examine(PoolWindow window) {
            return Optional.empty();
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
