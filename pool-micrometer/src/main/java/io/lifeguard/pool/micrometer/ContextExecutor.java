package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Tasks;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Submits tasks to a pool with the context of their submitter. Thread-safe. */
class ContextExecutor<E extends ExecutorService> implements ExecutorService {

    private final E pool;
    private final ContextSnapshotFactory contexts;

    ContextExecutor(E pool, ContextSnapshotFactory contexts) {
        this.pool = pool;
        this.contexts = contexts;
    }

    final E pool() {
        return pool;
    }

    final Runnable carrying(Runnable task) {
        Objects.requireNonNull(task, "task must not be null");
        ContextSnapshot context = contexts.captureAll();
        return Tasks.inPlaceOf(task, context.wrap(task));
    }

    final <T> Callable<T> carrying(Callable<T> task) {
        Objects.requireNonNull(task, "task must not be null");
        ContextSnapshot context = contexts.captureAll();
        return Tasks.inPlaceOf(task, context.wrap(task));
    }

    private <T> List<Callable<T>> carrying(Collection<? extends Callable<T>> tasks) {
        return tasks.stream().map(task -> this.<T>carrying(task)).toList();
    }

    @Override
    public void execute(Runnable command) {
        pool.execute(carrying(command));
    }

    @Override
    public Future<?> submit(Runnable task) {
        return pool.submit(carrying(task));
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return pool.submit(carrying(task), result);
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return pool.submit(carrying(task));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return pool.invokeAll(carrying(tasks));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return pool.invokeAll(carrying(tasks), timeout, unit);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return pool.invokeAny(carrying(tasks));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return pool.invokeAny(carrying(tasks), timeout, unit);
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return pool.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return pool.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return pool.awaitTermination(timeout, unit);
    }

    @Override
    public String toString() {
        return pool + " with context";
    }

    /** The same for a pool that schedules. */
    static final class Scheduled extends ContextExecutor<ScheduledExecutorService> implements ScheduledExecutorService {

        Scheduled(ScheduledExecutorService pool, ContextSnapshotFactory contexts) {
            super(pool, contexts);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            return pool().schedule(carrying(command), delay, unit);
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
            return pool().schedule(carrying(callable), delay, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
            return pool().scheduleAtFixedRate(carrying(command), initialDelay, period, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
                Runnable command, long initialDelay, long delay, TimeUnit unit) {
            return pool().scheduleWithFixedDelay(carrying(command), initialDelay, delay, unit);
        }
    }
}
