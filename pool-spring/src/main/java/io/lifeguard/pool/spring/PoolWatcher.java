package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedPool;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Has the executors that are beans of the application watched, once the container has made them. It changes none, replaces none and makes none.
 * Thread-safe.
 *
 * <p>First in line behind a bean's initialisation, so it sees the executor and not what others put around it.
 */
final class PoolWatcher implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    // Written once, by the container, before the first bean.
    private LifeguardProperties.@Nullable Watch watch;
    private @Nullable UnmeteredExecutors unmetered;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        watch = beans.getBean(LifeguardProperties.class).watch();
        unmetered = beans.getBean(UnmeteredExecutors.class);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        LifeguardProperties.Watch wanted = watch;
        if (wanted != null
                && wanted.beans()
                && !wanted.exclude().contains(PoolNaming.ofBean(beanName))
                && !AopUtils.isAopProxy(bean)) {
            watch(bean, PoolNaming.ofBean(beanName));
        }
        return bean;
    }

    private void watch(Object bean, String name) {
        if (bean instanceof ThreadPoolTaskExecutor executor) {
            watchPool(poolOf(executor), name);
        } else if (bean instanceof ThreadPoolTaskScheduler scheduler) {
            watchPool(poolOf(scheduler), name);
        } else if (bean instanceof ConcurrentTaskExecutor wrapper) {
            watchRaw(wrapper.getConcurrentExecutor(), name);
        } else {
            watchRaw(bean, name);
        }
    }

    private void watchRaw(Object executor, String name) {
        if (executor instanceof ThreadPoolExecutor pool) {
            watchPool(pool, name);
            meter(pool, name);
        } else if (executor instanceof ForkJoinPool pool && isForeign(pool)) {
            meter(pool, name);
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        }
    }

    private static void watchPool(@Nullable ThreadPoolExecutor pool, String name) {
        if (pool != null && isForeign(pool)) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        }
    }

    private void meter(ExecutorService executor, String name) {
        if (unmetered != null && isForeign(executor)) {
            unmetered.add(name, executor);
        }
    }

    /** Ours are watched from their birth. */
    private static boolean isForeign(Object pool) {
        return !(pool instanceof InstrumentedPool);
    }

    /** The pool, null before it is there: of a subclass that makes it later, or makes none, whatever that throws then. */
    private static @Nullable ThreadPoolExecutor poolOf(ThreadPoolTaskExecutor executor) {
        try {
            return executor.getThreadPoolExecutor();
        } catch (RuntimeException notInitialized) {
            return null;
        }
    }

    private static @Nullable ThreadPoolExecutor poolOf(ThreadPoolTaskScheduler scheduler) {
        try {
            return scheduler.getScheduledThreadPoolExecutor();
        } catch (RuntimeException notInitialized) {
            return null;
        }
    }
}
