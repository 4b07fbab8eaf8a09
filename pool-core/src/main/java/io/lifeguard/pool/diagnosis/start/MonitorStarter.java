package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.PoolMonitor;

/**
 * Starts the global monitor with the first pool, or when it is no longer put off, unless {@value PoolMonitor#PROPERTY}
 * is {@code off}. Thread-safe.
 */
public final class MonitorStarter implements PoolObserver {

    @Override
    public void created(InstrumentedPool pool) {
        if (!"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))) {
            PoolMonitor.onGlobal(monitor -> {}); // it finds the pool by itself
        }
    }
}
