package io.lifeguard.pool.compat;

import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A user's decorator of a scheduled task, for {@code decorateTask}. As thread-safe as the decorated future. */
class DecoratedFuture<V> implements RunnableScheduledFuture<V> {

    private final RunnableScheduledFuture<V> inner;

    DecoratedFuture(RunnableScheduledFuture<V> inner) {
        this.inner = inner;
    }

    @Override
    public boolean isPeriodic() {
        return inner.isPeriodic();
    }

    @Override
    public void run() {
        inner.run();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return inner.cancel(mayInterrupt);
    }

    @Override
    public boolean isCancelled() {
        return inner.isCancelled();
    }

    @Override
    public boolean isDone() {
        return inner.isDone();
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        return inner.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return inner.get(timeout, unit);
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return inner.getDelay(unit);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
