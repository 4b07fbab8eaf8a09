package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;

/** Forwards the findings of one monitor to the meters of one registry. Has no state of its own. */
record FindingForwarder(RegistryMeters meters, PoolMonitor monitor) implements FindingListener {

    @Override
    public void raised(Finding finding) {
        meters.show(monitor, finding, true);
    }

    /** The finding may have become less severe. */
    @Override
    public void updated(Finding finding) {
        meters.show(monitor, finding, false);
    }

    /** Counted under the new severity, so that an alert on critical findings sees one that began as a warning. */
    @Override
    public void escalated(Finding finding) {
        meters.show(monitor, finding, true);
    }

    @Override
    public void resolved(Finding finding) {
        meters.resolved(finding);
    }

    /** It is unknown whether its cause is gone, but it is no longer shown. */
    @Override
    public void ended(Finding finding, String why) {
        meters.resolved(finding);
    }
}
