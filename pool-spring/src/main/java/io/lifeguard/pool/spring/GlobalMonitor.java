package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.List;
import java.util.function.Consumer;

/** The monitor of this JVM, unless {@code -Dlifeguard.monitor=off} keeps it from starting. Stateless. */
final class GlobalMonitor {

    private GlobalMonitor() {}

    static boolean isOn() {
        return !"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY));
    }

    /** At once, or when the application has started: see {@link MonitorDelay}. */
    static void ifOn(Consumer<PoolMonitor> action) {
        if (isOn()) {
            PoolMonitor.onGlobal(action);
        }
    }

    /** All pools that are known: with the monitor off those that are ours. */
    static List<InstrumentedPool> pools() {
        return isOn() ? PoolMonitor.global().pools() : Pools.live();
    }

    static List<Finding> findings() {
        return isOn() ? PoolMonitor.global().findings() : List.of();
    }
}
