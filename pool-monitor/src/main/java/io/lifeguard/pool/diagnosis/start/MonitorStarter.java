package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.PoolMonitor;

/**
 * Starts the global monitor when a pool has something to do, unless {@value PoolMonitor#PROPERTY} is {@code off}. If
 * the start is put off, starts it then. Stateless.
 */
public final class MonitorStarter implements PoolObserver {

    @Override
    public void created(InstrumentedPool pool) {
        if (!"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))) {
            Lookout.created();
        }
    }
}
