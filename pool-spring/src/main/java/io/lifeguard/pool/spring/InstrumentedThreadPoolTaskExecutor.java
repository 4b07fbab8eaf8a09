package io.lifeguard.pool.spring;

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
 * A {@link ThreadPoolTaskExecutor} whose pool is an {@link InstrumentedThreadPoolExecutor}, under the name of the bean. As thread-safe as Spring's
 * class, and configured in the same way: properties, decorators, customizers, lifecycle and shutdown are Spring's.
 *
 * <p>Boot's {@code applicationTaskExecutor} becomes one by itself. To have another one, build it with Boot's builder: {@code
 * builder.build(InstrumentedThreadPoolTaskExecutor.class)}.
 *
 * @implNote The queue is one of ours, so {@code createQueue} is not asked. A capacity of {@link Integer#MAX_VALUE} is no bound, and one of zero or
 *     less is a direct hand-off, as in Spring's class.
 */
@SuppressWarnings("serial") // as Spring's own: nobody serialises an executor
public class InstrumentedThreadPoolTaskExecutor extends ThreadPoolTaskExecutor {

    // Configuration, written before the pool is made; Spring's fields have no getters.
    /** The name of the bean, null before it is known. */
    private @Nullable String beanName;
    /** What decorates tasks, null when nothing does. */
    private @Nullable TaskDecorator taskDecorator;
    /** Whether idle core threads end. */
    private boolean allowCoreThreadTimeOut;
    /** Whether threads start before there are tasks. */
    private boolean prestartAllCoreThreads;

    /** What was submitted, by what it was decorated to, so that it can be cancelled on shutdown. */
    private final Map<Runnable, Object> decorated =
            new ConcurrentReferenceHashMap<>(16, ConcurrentReferenceHashMap.ReferenceType.WEAK);

    /** Written by {@code initialize()}; null before. */
    private volatile @Nullable InstrumentedThreadPoolExecutor pool;

    /** An executor as Spring's is, before it is initialised: one thread at first, no bound. */
    public InstrumentedThreadPoolTaskExecutor() {}

    @Override
    public void setBeanName(String name) {
        super.setBeanName(name);
        beanName = beanName == null ? name : beanName; // others may return it as their bean, as WebSocket's channels do
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

    // ---- what may change while it runs ----

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

    // ---- the pool ----

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
        Pool made = new Pool(builder, super.getCorePoolSize(), super.getMaxPoolSize(), getKeepAliveSeconds());
        if (allowCoreThreadTimeOut) {
            made.allowCoreThreadTimeOut(true);
        }
        if (prestartAllCoreThreads) {
            made.prestartAllCoreThreads();
        }
        pool = made;
        return made;
    }

    /** A pool that is replaced by another initialisation would be there for good, with its threads, and under the new one's name. */
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

    private Runnable decorate(Runnable task) {
        TaskDecorator decorator = taskDecorator;
        if (decorator == null) {
            return task;
        }
        Runnable result = decorator.decorate(task);
        if (result != task) {
            decorated.put(result, task);
        }
        return result;
    }

    /** Decorates, and tells Spring's lifecycle when tasks begin and end. */
    private final class Pool extends InstrumentedThreadPoolExecutor {

        Pool(Builder builder, int core, int maximum, int keepAliveSeconds) {
            super(builder);
            if (maximum < core) {
                throw new IllegalArgumentException(
                        "maxPoolSize must be >= corePoolSize " + core + " (was " + maximum + ")");
            }
            setMaximumPoolSize(maximum);
            setCorePoolSize(core);
            setKeepAliveTime(keepAliveSeconds, TimeUnit.SECONDS);
        }

        @Override
        public void execute(Runnable command) {
            super.execute(decorate(command));
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            super.beforeExecute(thread, task);
            InstrumentedThreadPoolTaskExecutor.this.beforeExecute(thread, task);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            InstrumentedThreadPoolTaskExecutor.this.afterExecute(task, thrown);
            super.afterExecute(task, thrown);
        }
    }
}
