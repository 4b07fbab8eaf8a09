package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * With {@code lifeguard.instrument=all}, replaces the pool inside the application's own Spring executors by one that
 * measures. The bean stays the same object. Thread-safe.
 *
 * <p>The new pool has the sizes, the keep-alive time, the capacity of the queue, the thread factory, the policy and the
 * decorator of the old one, and Spring's lifecycle ends it. The old pool has run nothing, and is collected. An executor
 * is left as it is, and the reason is shown, if its pool is of a class of the application, has an unusual queue, or has
 * already been used.
 *
 * <p>Comes before {@link PoolWatcher}, and sees the executor itself, not a proxy around it.
 */
final class ExecutorReplacer implements DestructionAwareBeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    // Written once by the container, before the first bean.
    private @Nullable LifeguardProperties properties;
    private @Nullable UnseenExecutors unseen;

    /** Pools that are beans, also of other contexts, such as the parent: others may submit to them directly. */
    private static final Set<Object> BEANS =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** Wrappers whose pool was replaced, and that have no lifecycle. */
    private final Set<ConcurrentTaskExecutor> wrappers =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** The pools that replaced those of wrappers: two wrappers of one pool share its threads. */
    private final Map<ThreadPoolExecutor, WeakReference<HookedPool>> replacements =
            Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public void setBeanFactory(BeanFactory beans) {
        properties = beans.getBean(LifeguardProperties.class);
        unseen = beans.getBean(UnseenExecutors.class);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        LifeguardProperties wanted = properties;
        String name = PoolNaming.ofBean(beanName);
        if (bean instanceof ThreadPoolExecutor) {
            BEANS.add(bean);
        }
        if (wanted != null
                && unseen != null
                && wanted.instrument() == LifeguardProperties.Instrument.ALL
                && !wanted.watch().exclude().contains(name)
                && !AopUtils.isAopProxy(bean)) {
            String reason = replace(bean, name);
            if (!reason.isEmpty()) {
                unseen.add(name, "not instrumented, only watched: " + reason);
            }
        }
        return bean;
    }

    /** Replaces the pool of a bean. Returns why not; empty if the bean is no such executor, or was replaced. */
    private String replace(Object bean, String name) {
        if (bean instanceof InstrumentedThreadPoolTaskExecutor || bean instanceof InstrumentedThreadPoolTaskScheduler) {
            return "";
        }
        try {
            if (bean instanceof ThreadPoolTaskExecutor executor) {
                return replaceIn(executor, name);
            } else if (bean instanceof ThreadPoolTaskScheduler scheduler) {
                return replaceIn(scheduler, name);
            } else if (bean instanceof ConcurrentTaskExecutor wrapper) {
                return replaceIn(wrapper, name);
            }
            return "";
        } catch (RuntimeException e) { // of a subclass; the bean works as before
            return "it refused with " + e;
        }
    }

    private static String replaceIn(ThreadPoolTaskExecutor bean, String name) {
        SpringFields spring = SpringFields.get();
        ThreadPoolExecutor old = bean.getThreadPoolExecutor();
        boolean prestart = spring != null && spring.isPrestarted(bean);
        String reason = whyNot(spring, old, prestart, ThreadPoolTaskExecutor.class);
        if (spring == null || !reason.isEmpty()) {
            return reason;
        }
        spring.replace(
                bean,
                new HookedPool(
                        builder(old, name),
                        sizes(old, prestart),
                        spring.hooksOf(bean),
                        spring.decoratorOf(bean),
                        spring.decoratedTasksOf(bean)::put));
        endThreads(old);
        return "";
    }

    private static String replaceIn(ThreadPoolTaskScheduler bean, String name) {
        SpringFields spring = SpringFields.get();
        ScheduledThreadPoolExecutor old = bean.getScheduledThreadPoolExecutor();
        String reason = whyNot(spring, old, false, ThreadPoolTaskScheduler.class);
        if (spring == null || !reason.isEmpty()) {
            return reason;
        }
        HookedScheduler made = HookedScheduler.make(
                name,
                old.getCorePoolSize(),
                old.getThreadFactory(),
                old.getRejectedExecutionHandler(),
                spring.hooksOf(bean),
                spring.decoratorOf(bean));
        made.setKeepAliveTime(old.getKeepAliveTime(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
        made.allowCoreThreadTimeOut(old.allowsCoreThreadTimeOut());
        made.setRemoveOnCancelPolicy(old.getRemoveOnCancelPolicy());
        made.setContinueExistingPeriodicTasksAfterShutdownPolicy(
                old.getContinueExistingPeriodicTasksAfterShutdownPolicy());
        made.setExecuteExistingDelayedTasksAfterShutdownPolicy(old.getExecuteExistingDelayedTasksAfterShutdownPolicy());
        spring.replace(bean, made);
        endThreads(old);
        return "";
    }

    private String replaceIn(ConcurrentTaskExecutor bean, String name) {
        if (bean.getClass() != ConcurrentTaskExecutor.class) {
            return "its class " + bean.getClass().getName() + " may have other uses of its pool";
        }
        Executor wrapped = bean.getConcurrentExecutor();
        if (!(wrapped instanceof ThreadPoolExecutor old) || old instanceof InstrumentedPool) {
            return wrapped instanceof ForkJoinPool ? "its pool is a ForkJoinPool" : ""; // the watcher tells of others
        }
        if (BEANS.contains(old)) {
            return "its pool is a bean, to which others may submit";
        }
        String reason = old.getClass() == ThreadPoolExecutor.class ? whyNotItself(old, false) : itsClass(old);
        if (reason.isEmpty()) {
            bean.setConcurrentExecutor(replacementOf(old, name));
            wrappers.add(bean);
        }
        return reason;
    }

    private HookedPool replacementOf(ThreadPoolExecutor old, String name) {
        WeakReference<HookedPool> known = replacements.get(old);
        HookedPool shared = known == null ? null : known.get();
        if (shared == null || shared.isShutdown()) {
            TaskHooks none = new TaskHooks((thread, task) -> {}, (task, thrown) -> {});
            shared = new HookedPool(builder(old, name), sizes(old, false), none, null, (task, submitted) -> {});
            replacements.put(old, new WeakReference<>(shared));
        }
        return shared;
    }

    private static String whyNot(
            @Nullable SpringFields spring, ThreadPoolExecutor old, boolean prestarted, Class<?> madeBy) {
        if (old instanceof InstrumentedPool) {
            return "its pool is already instrumented";
        }
        if (spring == null) {
            return "this version of Spring is not known";
        }
        return old.getClass().getEnclosingClass() == madeBy ? whyNotItself(old, prestarted) : itsClass(old);
    }

    private static String itsClass(ThreadPoolExecutor old) {
        return "its pool is of the class " + old.getClass().getName();
    }

    private static String whyNotItself(ThreadPoolExecutor old, boolean prestarted) {
        // a prestarted worker that has not begun counts as active, and the old pool lets a running task end
        if (old.isShutdown()
                || old.getCompletedTaskCount() > 0
                || !old.getQueue().isEmpty()
                || (old.getPoolSize() > 0 && !prestarted)) {
            return "its pool was used before the bean was ready";
        }
        boolean isScheduler = old instanceof ScheduledThreadPoolExecutor;
        return isScheduler || capacity(old.getQueue()) >= 0
                ? ""
                : "its queue is of the class " + old.getQueue().getClass().getName();
    }

    /** {@return the capacity of an empty queue that hands tasks out in their order; -1 for other queues} */
    private static int capacity(BlockingQueue<Runnable> queue) {
        Class<?> type = queue.getClass();
        boolean isKnown =
                type == LinkedBlockingQueue.class || type == ArrayBlockingQueue.class || type == SynchronousQueue.class;
        return isKnown ? queue.remainingCapacity() : -1;
    }

    private static InstrumentedThreadPoolExecutor.Builder builder(ThreadPoolExecutor old, String name) {
        InstrumentedThreadPoolExecutor.Builder builder = InstrumentedThreadPoolExecutor.named(name)
                .size(Math.max(1, old.getCorePoolSize()))
                .threadFactory(old.getThreadFactory())
                .whenSaturated(old.getRejectedExecutionHandler());
        int capacity = capacity(old.getQueue());
        return capacity == Integer.MAX_VALUE ? builder.unboundedQueue() : builder.queueCapacity(capacity);
    }

    private static HookedPool.Sizes sizes(ThreadPoolExecutor old, boolean prestart) {
        return new HookedPool.Sizes(
                old.getCorePoolSize(),
                old.getMaximumPoolSize(),
                old.getKeepAliveTime(TimeUnit.NANOSECONDS),
                old.allowsCoreThreadTimeOut(),
                prestart);
    }

    /** Ends threads that were started before the first task. Otherwise the old pool stays usable for its owner. */
    private static void endThreads(ThreadPoolExecutor old) {
        if (old.getPoolSize() > 0) {
            old.shutdown();
        }
    }

    /** Nobody else can end the new pool of wrappers, which have no lifecycle. Its tasks are run to the end. */
    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        if (bean instanceof ConcurrentTaskExecutor wrapper
                && wrappers.remove(wrapper)
                && wrapper.getConcurrentExecutor() instanceof HookedPool pool
                && List.copyOf(wrappers).stream().noneMatch(other -> other.getConcurrentExecutor() == pool)) {
            pool.shutdown();
        }
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof ConcurrentTaskExecutor wrapper && wrappers.contains(wrapper);
    }
}
