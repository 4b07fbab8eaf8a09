package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.os.JavaManagement;
import org.slf4j.LoggerFactory;

/**
 * Begins the triage of pools, which starts the global monitor once something is suspected, unless
 * {@value PoolMonitor#PROPERTY} is {@code off}. A runtime without {@code java.management} is warned of once.
 */
public final class MonitorStarter implements PoolObserver {

    // Written by the thread that tells of a new pool, from false to true. After a stale read it is said once more.
    private static volatile boolean hasWarned;

    @Override
    public void created(InstrumentedPool pool) {
        if (!"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))) {
            if (JavaManagement.isPresent()) {
                Triage.created();
            } else if (!hasWarned) {
                hasWarned = true;
                LoggerFactory.getLogger("io.lifeguard.pool.diagnosis").warn(JavaManagement.MISSING);
            }
        }
    }
}
