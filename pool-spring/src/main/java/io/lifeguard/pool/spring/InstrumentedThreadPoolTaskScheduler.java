package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A {@link ThreadPoolTaskScheduler} whose pool is an {@link InstrumentedScheduledThreadPoolExecutor}, under the name of the bean. As thread-safe as
 * Spring's class, and configured in the same way.
 *
 * <p>Boot's {@code taskScheduler} becomes one by itself. To have another one: {@code
 * builder.configure(new InstrumentedThreadPoolTaskScheduler())}, with Boot's builder.
 *
 * @implNote Tasks are counted under their own classes, unless there is a {@link TaskDecorator}: it must see the future, and so they are counted under
 *     its class.
 */
@SuppressWarnings("serial") // as Spring's own: nobody serialises a scheduler
public class InstrumentedThreadPoolTaskScheduler extends ThreadPoolTaskScheduler {

    // Configuration, written before the pool is made; Spring's fields have no getters.
    /** The name of the bean, null before it is known. */
    private @Nullable String beanName;
    /** What decorates tasks, null when nothing does. */
    private @Nullable TaskDecorator taskDecorator;

    /** A scheduler as Spring's is, before it is initialised: one thread. */
    public InstrumentedThreadPoolTaskScheduler() {}

    @Override
    public void setBeanName(String name) {
        super.setBeanName(name);
        beanName = name;
    }

    @Override
    public void setTaskDecorator(TaskDecorator decorator) {
        super.setTaskDecorator(decorator);
        taskDecorator = decorator;
    }

    @Override
    protected ScheduledExecutorService createExecutor(
            int poolSize, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
        String name = PoolNaming.nameOf(beanName, getThreadNamePrefix());
        TaskDecorator decorator = taskDecorator;
        return decorator == null
                ? new Pool(name, poolSize, threadFactory, handler)
                : new DecoratingPool(name, poolSize, threadFactory, handler, decorator);
    }

    /** Tells Spring's lifecycle when tasks begin and end. */
    private class Pool extends InstrumentedScheduledThreadPoolExecutor {

        Pool(String name, int size, ThreadFactory threadFactory, RejectedExecutionHandler handler) {
            super(name, size, threadFactory, handler);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            super.beforeExecute(thread, task);
            InstrumentedThreadPoolTaskScheduler.this.beforeExecute(thread, task);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            InstrumentedThreadPoolTaskScheduler.this.afterExecute(task, thrown);
            super.afterExecute(task, thrown);
        }
    }

    /** Runs what the decorator makes of each future. */
    private final class DecoratingPool extends Pool {

        private final TaskDecorator decorator;

        DecoratingPool(
                String name,
                int size,
                ThreadFactory threadFactory,
                RejectedExecutionHandler handler,
                TaskDecorator decorator) {
            super(name, size, threadFactory, handler);
            this.decorator = decorator;
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Runnable task, RunnableScheduledFuture<V> future) {
            return new DecoratedScheduledFuture<>(future, decorator);
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Callable<V> task, RunnableScheduledFuture<V> future) {
            return new DecoratedScheduledFuture<>(future, decorator);
        }
    }
}
