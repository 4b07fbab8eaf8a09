package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * A {@link ThreadPoolTaskExecutor} whose pool is an {@link InstrumentedThreadPoolExecutor} with the name of the bean.
 * As thread-safe as Spring's class. Properties, decorators, customizers, lifecycle and shutdown work as in Spring's
 * class.
 *
 * <p>Boot's {@code applicationTaskExecutor} is an instance of this class. To make another one, use Boot's builder:
 * {@code builder.build(InstrumentedThreadPoolTaskExecutor.class)}.
 *
 * @implNote The pool has an instrumented queue, so {@code createQueue} is not called. As in Spring's class, a capacity
 *     of {@link Integer#MAX_VALUE} means no bound, and zero or less means direct hand-off.
 */
@SuppressWarnings("serial") // like Spring's class: an executor is not serialised
public class InstrumentedThreadPoolTaskExecutor extends ThreadPoolTaskExecutor {

    // Configuration, written before the pool is made. Spring's fields have no getters.
    /** Null before the container sets it. */
    private @Nullable String beanName;
    /** Null if tasks are not decorated. */
    private @Nullable TaskDecorator taskDecorator;

    /** Whether idle core threads end. */
    private boolean allowCoreThreadTimeOut;
    /** Whether the core threads start before the first task. */
    private boolean prestartAllCoreThreads;

    /** The submitted task of each decorated one, so that a shutdown can cancel the submitted task. */
    private final Map<Runnable, Object> decorated =
            new ConcurrentReferenceHashMap<>(16, ConcurrentReferenceHashMap.ReferenceType.WEAK);

    /** Null before {@code initialize()}, which writes it. */
    private volatile @Nullable InstrumentedThreadPoolExecutor pool;

    /** Makes an executor with Spring's defaults: one core thread and an unbounded queue. */
    public InstrumentedThreadPoolTaskExecutor() {}

    @Override
    public void setBeanName(String name) {
        super.setBeanName(name);
        if (beanName == null) { // WebSocket's channels return the same executor again, as another bean
            beanName = name;
        }
    }

    @Override
    public void setTaskDecorator(TaskDecorator decorator) {
        super.setTaskDecorator(decorator);
        taskDecorator = decorator;
    }

    @Override
    public void setAllowCoreThreadTimeOut(boolean allow) {
        super.setAllowCoreThreadTimeOut(allow);
        allowCoreThreadTimeOut = allow;
    }

    @Override
    public void setPrestartAllCoreThreads(boolean prestart) {
        super.setPrestartAllCoreThreads(prestart);
        prestartAllCoreThreads = prestart;
    }

    @Override
    public void setCorePoolSize(int size) {
        InstrumentedThreadPoolExecutor made = pool;
        if (made != null) {
            made.setCorePoolSize(size);
        }
        super.setCorePoolSize(size);
    }

    @Override
    public int getCorePoolSize() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? super.getCorePoolSize() : made.getCorePoolSize();
    }

    @Override
    public void setMaxPoolSize(int size) {
        InstrumentedThreadPoolExecutor made = pool;
        if (made != null) {
            made.setMaximumPoolSize(size);
        }
        super.setMaxPoolSize(size);
    }

    @Override
    public int getMaxPoolSize() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? super.getMaxPoolSize() : made.getMaximumPoolSize();
    }

    @Override
    public void setKeepAliveSeconds(int seconds) {
        InstrumentedThreadPoolExecutor made = pool;
        if (made != null) {
            made.setKeepAliveTime(seconds, TimeUnit.SECONDS);
        }
        super.setKeepAliveSeconds(seconds);
    }

    @Override
    protected ExecutorService initializeExecutor(ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        endIfUnused(pool);
        InstrumentedThreadPoolExecutor.Builder builder = InstrumentedThreadPoolExecutor.named(
                        PoolNaming.nameOf(beanName, getThreadNamePrefix()))
                .size(Math.max(1, super.getCorePoolSize()))
                .threadFactory(threadFactory)
                .whenSaturated(handler);
        int capacity = getQueueCapacity();
        builder =
                capacity == Integer.MAX_VALUE ? builder.unboundedQueue() : builder.queueCapacity(Math.max(0, capacity));
        HookedPool made = new HookedPool(
                builder,
                new HookedPool.Sizes(
                        super.getCorePoolSize(),
                        super.getMaxPoolSize(),
                        TimeUnit.SECONDS.toNanos(getKeepAliveSeconds()),
                        allowCoreThreadTimeOut,
                        prestartAllCoreThreads),
                new TaskHooks(this::beforeExecute, this::afterExecute),
                taskDecorator,
                decorated::put);
        pool = made;
        return made;
    }

    /**
     * Otherwise a pool that a second {@code initialize()} replaces would live forever, under the name of the new pool.
     */
    private static void endIfUnused(@Nullable ThreadPoolExecutor replaced) {
        if (replaced != null
                && replaced.getActiveCount() == 0
                && replaced.getQueue().isEmpty()) {
            replaced.shutdown();
        }
    }

    @Override
    public ThreadPoolExecutor getThreadPoolExecutor() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? super.getThreadPoolExecutor() : made;
    }

    @Override
    public int getPoolSize() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? super.getPoolSize() : made.getPoolSize();
    }

    @Override
    public int getQueueSize() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? 0 : made.getQueue().size();
    }

    @Override
    public int getActiveCount() {
        InstrumentedThreadPoolExecutor made = pool;
        return made == null ? 0 : made.getActiveCount();
    }

    @Override
    protected void cancelRemainingTask(Runnable task) {
        super.cancelRemainingTask(task);
        if (decorated.get(task) instanceof Future<?> submitted) {
            submitted.cancel(true);
        }
    }
}
