package io.lifeguard.pool.micronaut;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.outside.KnownWorkers;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.executor.ExecutorFactory;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Has the monitor watch each executor that is a bean, under the bean's name. It wraps their thread factories. Stateless
 * but for the monitor. It comes first, so it sees the executor itself, and not what measures it for Micrometer.
 */
@Singleton
@Requires(beans = ApplicationMonitor.class)
public final class ExecutorWatcher implements BeanCreatedEventListener<ExecutorService>, Ordered {

    private final PoolMonitor monitor;

    /**
     * Made by the container.
     *
     * @param application has the monitor, not null
     */
    ExecutorWatcher(ApplicationMonitor application) {
        this.monitor = application.get();
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        ExecutorService executor = event.getBean();
        if (executor instanceof InstrumentedPool) { // it announces itself
            return executor;
        }
        String name = event.getBeanIdentifier().getName();
        boolean isConfigured = event.getBeanDefinition()
                .getDeclaringType()
                .filter(type -> type == ExecutorFactory.class)
                .isPresent();
        if (executor instanceof ThreadPoolExecutor pool) {
            Neighbours.put(name, isConfigured ? configured(name, pool) : ofBean(name, "setMaximumPoolSize"));
            KnownWorkers.of(pool);
            monitor.watch(pool, name, isConfigured ? name + "-executor-thread-" : "");
        } else if (executor instanceof ForkJoinPool pool) {
            Neighbours.put(name, isConfigured ? setting(name, "parallelism", "") : ofBean(name, "the parallelism"));
            monitor.watch(pool, name);
        }
        return executor;
    }

    /** Micronaut's own pools have one size, a scheduled one, or none. */
    private static Neighbours.Setting configured(String name, ThreadPoolExecutor pool) {
        if (pool instanceof ScheduledThreadPoolExecutor) {
            return setting(name, "core-pool-size", "");
        }
        return setting(
                name,
                "n-threads",
                pool.getCorePoolSize() == pool.getMaximumPoolSize()
                        ? ""
                        : "It has an effect with micronaut.executors." + name + ".type=fixed.");
    }

    private static Neighbours.Setting setting(String name, String key, String remark) {
        return new Neighbours.Setting("micronaut.executors." + name + "." + key, remark);
    }

    private static Neighbours.Setting ofBean(String name, String what) {
        return new Neighbours.Setting(what + " of the bean " + name, "");
    }
}
