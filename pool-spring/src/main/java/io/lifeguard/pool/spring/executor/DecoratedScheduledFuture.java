package io.lifeguard.pool.spring.executor;

import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.core.task.TaskDecorator;

/**
 * A scheduled future that runs the result of a {@link TaskDecorator}, and delegates all else. As thread-safe as the
 * future.
 */
final class DecoratedScheduledFuture<V> implements RunnableScheduledFuture<V> {

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
