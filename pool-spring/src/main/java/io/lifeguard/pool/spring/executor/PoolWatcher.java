package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.outside.KnownWorkers;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.CustomizableThreadCreator;

/**
 * Tells the monitor to watch the executors that are beans. Replaces no bean, and of its settings only wraps the thread
 * factory. Thread-safe.
 *
 * <p>Comes second after the initialisation of a bean, after {@link ExecutorReplacer}, so it sees the executor itself
 * and not a proxy around it.
 */
final class PoolWatcher implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    // Written once by the container, before the first bean.
    private LifeguardProperties.@Nullable Watch watch;
    private @Nullable UnmeteredExecutors unmetered;
    private @Nullable UnseenExecutors unseen;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        watch = beans.getBean(LifeguardProperties.class).watch();
        unmetered = beans.getBean(UnmeteredExecutors.class);
        unseen = beans.getBean(UnseenExecutors.class);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        LifeguardProperties.Watch wanted = watch;
        nameSetting(bean, PoolNaming.ofBean(beanName));
        if (wanted != null
                && wanted.beans()
                && !wanted.exclude().contains(PoolNaming.ofBean(beanName))
                && !AopUtils.isAopProxy(bean)) {
            watch(executorOf(bean), PoolNaming.ofBean(beanName), bean);
        }
        return bean;
    }

    /** Says how an executor is set. Boot's executors have properties, declared pools say it themselves. */
    private static void nameSetting(Object bean, String name) {
        String key = "";
        String queue = "";
        String policy = "setRejectedExecutionHandler of the bean " + name;
        if (bean instanceof ThreadPoolTaskExecutor) {
            boolean isBoots =
                    bean instanceof InstrumentedThreadPoolTaskExecutor && name.equals("applicationTaskExecutor");
            key = isBoots
                    ? "spring.task.execution.pool.core-size"
                    : "setCorePoolSize and setMaxPoolSize of the bean " + name;
            queue = isBoots ? "spring.task.execution.pool.queue-capacity" : "setQueueCapacity of the bean " + name;
        } else if (bean instanceof ThreadPoolTaskScheduler) {
            key = bean instanceof InstrumentedThreadPoolTaskScheduler && name.equals("taskScheduler")
                    ? "spring.task.scheduling.pool.size"
                    : "setPoolSize of the bean " + name;
        } else if (bean instanceof ThreadPoolExecutor && !(bean instanceof DeclaredPool)) {
            key = "setCorePoolSize and setMaximumPoolSize of the bean " + name;
        }
        if (!key.isEmpty()) {
            Neighbours.put(name, new Neighbours.Setting(key, queue, policy, ""));
        }
    }

    /**
     * The executor behind Spring's classes. Null if it does not exist yet: a subclass may make it later or not at all.
     */
    private static @Nullable Object executorOf(Object bean) {
        try {
            if (bean instanceof ThreadPoolTaskExecutor executor) {
                return executor.getThreadPoolExecutor();
            } else if (bean instanceof ThreadPoolTaskScheduler scheduler) {
                return scheduler.getScheduledThreadPoolExecutor();
            }
        } catch (RuntimeException ignored) { // there is no executor yet
            return null;
        }
        return bean instanceof ConcurrentTaskExecutor wrapper ? wrapper.getConcurrentExecutor() : bean;
    }

    /** An instrumented pool announces itself to the monitor, and Boot meters the executors of Spring. */
    private void watch(@Nullable Object executor, String name, Object bean) {
        if (executor instanceof InstrumentedPool) {
            return;
        }
        if (executor instanceof ThreadPoolExecutor pool) {
            String prefix = threadPrefix(pool);
            KnownWorkers.of(pool);
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name, prefix));
        } else if (executor instanceof ForkJoinPool pool) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        } else {
            if (executor instanceof ExecutorService && unseen != null) {
                unseen.add(name, whyUnseen(executor.getClass()));
            }
            return;
        }
        if (unmetered != null && !(bean instanceof ExecutorConfigurationSupport)) {
            unmetered.add(name, (ExecutorService) executor);
        }
    }

    private static String whyUnseen(Class<?> type) {
        return type.getEnclosingClass() == Executors.class
                ? "its class " + type.getName()
                        + " hides its pool, in which a periodic task that dies is not seen either:"
                        + " create the ThreadPoolExecutor or ScheduledThreadPoolExecutor itself"
                : "its class " + type.getName() + " is not known as a pool";
    }

    /** Spring's factories say how they name threads; Spring's executors are such factories. */
    private static String threadPrefix(ThreadPoolExecutor pool) {
        String prefix =
                pool.getThreadFactory() instanceof CustomizableThreadCreator spring ? spring.getThreadNamePrefix() : "";
        return prefix == null ? "" : prefix;
    }
}
