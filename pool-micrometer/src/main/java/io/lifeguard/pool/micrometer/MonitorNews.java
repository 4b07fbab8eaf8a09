package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;

/** Tells one registry's meters what one monitor finds. Thread-safe. */
final class MonitorNews implements FindingListener {

    private final RegistryMeters meters;
    private final PoolMonitor monitor;

    MonitorNews(RegistryMeters meters, PoolMonitor monitor) {
        this.meters = meters;
        this.monitor = monitor;
    }

    void listen() {
        monitor.removeListener(this);
        monitor.addListener(this);
    }

    void close() {
        monitor.removeListener(this);
    }

    @Override
    public void raised(Finding finding) {
        meters.found(monitor, finding, true);
    }

    /** It may have become less severe. */
    @Override
    public void updated(Finding finding) {
        meters.found(monitor, finding, false);
    }

    /** Counted as well, under the new severity: whoever waits for a critical one must not miss it because it began as a warning. */
    @Override
    public void escalated(Finding finding) {
        meters.found(monitor, finding, true);
    }

    @Override
    public void resolved(Finding finding) {
        meters.over(finding);
    }
}
