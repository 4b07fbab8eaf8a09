package io.lifeguard.pool.spring.monitor;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The monitor of this JVM, unless {@code -Dlifeguard.monitor=off} switches it off. Stateless. */
public final class GlobalMonitor {

    private GlobalMonitor() {}

    static boolean isOn() {
        return !"off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY));
    }

    /**
     * Runs an action with the monitor, if it is on: at once, or after the start of the application (see
     * {@link MonitorDelay}).
     */
    public static void ifOn(Consumer<PoolMonitor> action) {
        if (isOn()) {
            PoolMonitor.onGlobal(action);
        }
    }

    /** The pools that the monitor watches. With the monitor off, the instrumented pools. */
    public static List<InstrumentedPool> pools() {
        return isOn() ? PoolMonitor.global().pools() : Pools.live();
    }

    /** The monitor, which is started if necessary, or null if it is off. */
    public static @Nullable PoolMonitor find() {
        return isOn() ? PoolMonitor.global() : null;
    }

    /** What virtual threads of this executor wait for in line. None with the monitor off. */
    public static List<WaitingThreads> waiting(String executor) {
        return isOn()
                ? PoolMonitor.global().virtualThreads().stream()
                        .flatMap(load -> load.waiting().stream())
                        .filter(line -> line.executor().equals(executor))
                        .toList()
                : List.of();
    }

    /** The raised findings, worst first. None with the monitor off. */
    public static List<Finding> findings() {
        return isOn() ? PoolMonitor.global().findings() : List.of();
    }
}
