package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.PoolMonitor;

/**
 * Begins the triage of pools, which starts the global monitor once something is suspected, unless
 * {@value PoolMonitor#PROPERTY} is {@code off}. Stateless.
 */
public final class MonitorStarter implements PoolObserver {

    @Override
    public void created(InstrumentedPool pool) {
        if (!"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))) {
            Triage.created();
        }
    }
}
