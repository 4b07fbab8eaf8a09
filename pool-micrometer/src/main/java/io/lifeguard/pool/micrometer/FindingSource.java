package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The monitor from which findings come: one that is given, the global one, which need not have started yet, or none. Thread-safe. */
final class FindingSource {

    private final boolean isGlobal;
    private volatile @Nullable PoolMonitor
            monitor; // of the global one: written when it starts; null before, and for none

    private FindingSource(boolean isGlobal, @Nullable PoolMonitor monitor) {
        this.isGlobal = isGlobal;
        this.monitor = monitor;
    }

    static FindingSource none() {
        return new FindingSource(false, null);
    }

    static FindingSource of(PoolMonitor given) {
        return new FindingSource(false, given);
    }

    static FindingSource global() {
        FindingSource source = new FindingSource(true, null);
        PoolMonitor.onGlobal(started -> source.monitor = started);
        return source;
    }

    /** Whether it waits for the global monitor, whose start is put off. */
    boolean isToCome() {
        return isGlobal && monitor == null;
    }

    boolean is(PoolMonitor other) {
        return monitor == other;
    }

    List<Finding> of(String pool) {
        PoolMonitor there = monitor;
        return there == null ? List.of() : there.findings(pool);
    }

    /** Does something with the monitor: at once, or when it starts, or never. */
    void onMonitor(Consumer<PoolMonitor> action) {
        PoolMonitor there = monitor;
        if (there != null) {
            action.accept(there);
        } else if (isGlobal) {
            PoolMonitor.onGlobal(action);
        }
    }
}
