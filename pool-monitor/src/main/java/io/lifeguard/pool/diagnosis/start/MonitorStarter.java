package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.os.JavaManagement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Begins the triage of pools, which starts the global monitor once something is suspected, unless
 * {@value PoolMonitor#PROPERTY} is {@code off}. A runtime without {@code java.management} is warned of once.
 */
public final class MonitorStarter implements PoolObserver {

    // from false to true, by the thread that makes the first pool; CAS, so no read is stale
    private static final AtomicBoolean HAS_WARNED = new AtomicBoolean();

    @Override
    public void created(InstrumentedPool pool) {
        if (!"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))) {
            if (JavaManagement.isPresent()) {
                Triage.created();
            } else if (!HAS_WARNED.getAndSet(true)) {
                LoggerFactory.getLogger("io.lifeguard.pool.diagnosis").warn(JavaManagement.MISSING);
            }
        }
    }
}
