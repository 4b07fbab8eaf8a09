package io.lifeguard.pool.spring.executor;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;

/**
 * Drains the declared pools when the context stops. The web server stops first, in phases from {@code Integer.MAX_VALUE
 * - 2048}, then Spring's executors. Beans of the default phase 0 stop after the pools, because tasks may need them.
 * Thread-safe.
 */
@Lazy(false)
final class DeclaredPoolLifecycle implements SmartLifecycle {

    /**
     * A little later than Spring's executors, of phase {@code Integer.MAX_VALUE / 2}: their tasks may submit to these
     * pools.
     */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private final ConfigurableListableBeanFactory beans;

    /** Written by the container's thread. After a stale read the pools are drained once more, or not at all. */
    private volatile boolean running;

    DeclaredPoolLifecycle(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        for (DeclaredPool pool : existing()) {
            pool.resume();
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            List<DeclaredPool> pools = existing();
            pools.forEach(DeclaredPool::nanosLeft); // the time of all pools begins now
            for (DeclaredPool pool : pools) {
                pool.drain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the pools that exist, and makes none. */
    private List<DeclaredPool> existing() {
        List<DeclaredPool> existing = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(DeclaredPool.class, false, false)) {
            if (beans.getSingleton(name) instanceof DeclaredPool pool) {
                existing.add(pool);
            }
        }
        return existing;
    }
}
