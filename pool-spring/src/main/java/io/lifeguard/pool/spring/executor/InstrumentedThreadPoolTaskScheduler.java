package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A {@link ThreadPoolTaskScheduler} whose pool is an {@link InstrumentedScheduledThreadPoolExecutor} with the name of
 * the bean. As thread-safe as Spring's class, and configured in the same way.
 *
 * <p>Boot's {@code taskScheduler} is an instance of this class. To make another one, use Boot's builder: {@code
 * builder.configure(new InstrumentedThreadPoolTaskScheduler())}.
 *
 * @implNote Tasks are counted under their own classes. With a {@link TaskDecorator} they are all counted under the
 *     class of the scheduled future, because the decorator must be given the future.
 */
@SuppressWarnings("serial") // like Spring's class: a scheduler is not serialised
public class InstrumentedThreadPoolTaskScheduler extends ThreadPoolTaskScheduler {

    // Configuration, written before the pool is made. Spring's fields have no getters.
    /** Null before the container sets it. */
    private @Nullable String beanName;
    /** Null if tasks are not decorated. */
    private @Nullable TaskDecorator taskDecorator;

    /** Makes a scheduler with Spring's default of one thread. */
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

    /** Decorates each scheduled future. */
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

    /**
     * A scheduled future that runs the result of a {@link TaskDecorator}, and delegates all else. As thread-safe as the
     * future.
     */
    private static final class DecoratedScheduledFuture<V> implements RunnableScheduledFuture<V> {

        private final RunnableScheduledFuture<V> future;
        private final Runnable decorated;

        DecoratedScheduledFuture(RunnableScheduledFuture<V> future, TaskDecorator decorator) {
            this.future = future;
            this.decorated = decorator.decorate(future);
        }

        @Override
        public void run() {
            decorated.run();
        }

        @Override
        public boolean isPeriodic() {
            return future.isPeriodic();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return future.getDelay(unit);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return future.cancel(mayInterruptIfRunning);
        }

        @Override
        public boolean isCancelled() {
            return future.isCancelled();
        }

        @Override
        public boolean isDone() {
            return future.isDone();
        }

        @Override
        public V get() throws InterruptedException, ExecutionException {
            return future.get();
        }

        @Override
        public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            return future.get(timeout, unit);
        }

        @Override
        public int compareTo(Delayed other) {
            return future.compareTo(other);
        }
    }
}
