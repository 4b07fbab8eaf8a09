package io.lifeguard.pool.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Drains the declared pools when the context stops: after the web server, whose phases end with {@code Integer.MAX_VALUE - 2048}, and after
 * Spring's own executors; before plain lifecycles, whose phase is 0, since tasks may need them. Thread-safe.
 */
final class DeclaredPoolLifecycle implements SmartLifecycle {

    /** A little later than the executors of Spring, whose phase is {@code Integer.MAX_VALUE / 2}: their tasks may submit to ours. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private final ConfigurableListableBeanFactory beans;
    private volatile boolean running; // written by the container's thread; a stale read stops once more or less

    DeclaredPoolLifecycle(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        made().forEach(DeclaredPool::resume); // after a stop, or a pause
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            List<DeclaredPool> pools = made();
            pools.forEach(DeclaredPool::nanosLeft); // the time of all begins now
            for (DeclaredPool pool : pools) {
                pool.drain();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Those that are there; none is made for this. */
    private List<DeclaredPool> made() {
        List<DeclaredPool> made = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(DeclaredPool.class, false, false)) {
            if (beans.getSingleton(name) instanceof DeclaredPool pool) {
                made.add(pool);
            }
        }
        return made;
    }
}
