package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;

/**
 * The pool inside a Spring scheduler: tells Spring's lifecycle when tasks begin and end, and counts the runs of
 * {@code @Scheduled} and {@code @Async} methods under these methods. Thread-safe.
 */
class HookedScheduler extends InstrumentedScheduledThreadPoolExecutor {

    private final TaskHooks hooks;

    private HookedScheduler(
            String name, int size, ThreadFactory threads, RejectedExecutionHandler handler, TaskHooks hooks) {
        super(name, size, threads, handler);
        this.hooks = hooks;
    }

    /** Makes the pool; the decorator is given each scheduled future, and is null for none. */
    static HookedScheduler make(
            String name,
            int size,
            ThreadFactory threads,
            RejectedExecutionHandler handler,
            TaskHooks hooks,
            @Nullable TaskDecorator decorator) {
        return decorator == null
                ? new HookedScheduler(name, size, threads, handler, hooks)
                : new Decorating(name, size, threads, handler, hooks, decorator);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return super.schedule(named(SubmittedMethod.name(command)), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return super.schedule(SubmittedMethod.name(callable), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return super.scheduleAtFixedRate(named(command), initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return super.scheduleWithFixedDelay(named(command), initialDelay, delay, unit);
    }

    private static Runnable named(Runnable command) {
        return command == null ? command : ScheduledMethods.name(command);
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        super.beforeExecute(thread, task);
        hooks.before().accept(thread, task);
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        hooks.after().accept(task, thrown);
        super.afterExecute(task, thrown);
    }

    /** Decorates each scheduled future. */
    private static final class Decorating extends HookedScheduler {

        private final TaskDecorator decorator;

        Decorating(
                String name,
                int size,
                ThreadFactory threads,
                RejectedExecutionHandler handler,
                TaskHooks hooks,
                TaskDecorator decorator) {
            super(name, size, threads, handler, hooks);
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
