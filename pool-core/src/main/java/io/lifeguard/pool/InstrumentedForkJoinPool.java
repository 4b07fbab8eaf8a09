package io.lifeguard.pool;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The work-stealing pool of {@link InstrumentedExecutors}: a {@link ForkJoinPool} in asynchronous mode whose runnables and callables
 * measure themselves. A {@link ForkJoinTask} is run as it is, and not measured. Thread-safe.
 */
final class InstrumentedForkJoinPool extends ForkJoinPool implements InstrumentedPool {

    private final SharedInstruments instruments;

    InstrumentedForkJoinPool(int parallelism, @Nullable String name) {
        super(parallelism, defaultForkJoinWorkerThreadFactory, null, true);
        this.instruments = new SharedInstruments(this, this, name);
        Pools.announceCreated(this);
    }

    @Override
    public String name() {
        return instruments.name();
    }

    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot(
                new PoolSnapshot.Limits(getParallelism(), getParallelism(), Integer.MAX_VALUE), this::getPoolSize, () ->
                        (int) Math.min(Integer.MAX_VALUE, getQueuedTaskCount() + getQueuedSubmissionCount()));
    }

    @Override
    public void execute(Runnable task) {
        if (task instanceof ForkJoinTask<?>) {
            super.execute(task);
        } else {
            super.execute(instruments.measured(Objects.requireNonNull(task)));
            instruments.submitted();
        }
    }

    @Override
    public ForkJoinTask<?> submit(Runnable task) {
        if (task instanceof ForkJoinTask<?>) {
            return super.submit(task);
        }
        ForkJoinTask<?> future = super.submit(instruments.measured(Objects.requireNonNull(task)));
        instruments.submitted();
        return future;
    }

    @Override
    public <T> ForkJoinTask<T> submit(Runnable task, T result) {
        ForkJoinTask<T> future = super.submit(instruments.measured(Objects.requireNonNull(task)), result);
        instruments.submitted();
        return future;
    }

    @Override
    public <T> ForkJoinTask<T> submit(Callable<T> task) {
        ForkJoinTask<T> future = super.submit(instruments.measured(Objects.requireNonNull(task)));
        instruments.submitted();
        return future;
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) {
        List<Callable<T>> measured = tasks.stream()
                .<Callable<T>>map(task -> instruments.measured(Objects.requireNonNull(task)))
                .toList();
        measured.forEach(task -> instruments.submitted());
        return super.invokeAll(measured);
    }

    @Override
    public void shutdown() {
        super.shutdown();
        instruments.announceIfTerminated();
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> unexecuted = super.shutdownNow();
        instruments.announceIfTerminated();
        return unexecuted;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        boolean terminated = super.awaitTermination(timeout, unit);
        instruments.announceIfTerminated();
        return terminated;
    }
}
