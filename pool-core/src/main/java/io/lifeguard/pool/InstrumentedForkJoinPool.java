package io.lifeguard.pool;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ForkJoinPool} in asynchronous mode whose runnables and callables measure themselves: the work-stealing pool
 * of {@link InstrumentedExecutors}. Thread-safe. A {@link ForkJoinTask} runs unchanged and is not measured.
 */
final class InstrumentedForkJoinPool extends ForkJoinPool implements InstrumentedPool {

    private final SharedInstruments instruments;

    InstrumentedForkJoinPool(int parallelism, @Nullable String name) {
        super(parallelism, defaultForkJoinWorkerThreadFactory, null, true);
        this.instruments = new SharedInstruments(this, name);
        Pools.announceCreated(this);
    }

    @Override
    public String name() {
        return instruments.name;
    }

    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot(
                new PoolSnapshot.Limits(getParallelism(), getParallelism(), Integer.MAX_VALUE), this::getPoolSize, () ->
                        (int) Math.min(Integer.MAX_VALUE, getQueuedTaskCount() + getQueuedSubmissionCount()));
    }

    /** Finds the threads, which belong to this pool for certain. The pool does not tell which task a thread runs. */
    @Override
    public List<WorkerState> workers() {
        int size = getPoolSize();
        int active = getActiveThreadCount();
        return allThreads()
                .filter(thread -> thread instanceof ForkJoinWorkerThread worker && worker.getPool() == this)
                .map(thread -> worker(thread, active >= size, active == 0))
                .toList();
    }

    /** A thread without work waits. One that waits may also wait within a task, unless all or none have work. */
    private static WorkerState worker(Thread thread, boolean allAreBusy, boolean allAreIdle) {
        Thread.State state = thread.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        boolean busy = allAreBusy || !waits;
        return new WorkerState(thread, -1, busy, !busy && allAreIdle, "(unknown)", Duration.ZERO, 0);
    }

    private static Stream<Thread> allThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // room for threads that start meanwhile
        return Arrays.stream(threads, 0, group.enumerate(threads));
    }

    @Override
    public void execute(Runnable task) {
        if (task instanceof ForkJoinTask<?>) {
            super.execute(task);
            return;
        }
        Runnable measured = instruments.measured(task);
        instruments.submit(() -> {
            super.execute(measured);
            return measured;
        });
    }

    @Override
    public ForkJoinTask<?> submit(Runnable task) {
        if (task instanceof ForkJoinTask<?>) {
            return super.submit(task);
        }
        Runnable measured = instruments.measured(task);
        return instruments.submit(() -> super.submit(measured));
    }

    @Override
    public <T> ForkJoinTask<T> submit(Runnable task, T result) {
        Runnable measured = instruments.measured(task);
        return instruments.submit(() -> super.submit(measured, result));
    }

    @Override
    public <T> ForkJoinTask<T> submit(Callable<T> task) {
        Callable<T> measured = instruments.measured(task);
        return instruments.submit(() -> super.submit(measured));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) {
        return super.invokeAll(measured(tasks));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return super.invokeAll(measured(tasks), timeout, unit);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return super.invokeAny(measured(tasks));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return super.invokeAny(measured(tasks), timeout, unit);
    }

    /**
     * Wraps tasks that are counted when they start, because the pool does not tell which of several tasks it accepts or
     * cancels.
     */
    private <T> List<Callable<T>> measured(Collection<? extends Callable<T>> tasks) {
        return tasks.stream().<Callable<T>>map(instruments::countedAtStart).toList();
    }

    @Override
    public void shutdown() {
        super.shutdown();
        instruments.shutDown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> unexecuted = super.shutdownNow();
        instruments.shutDown();
        return unexecuted;
    }

    /**
     * Closes the pool as Java 19 specifies. The method of newer JDKs does not call {@link #shutdown}, so that the
     * termination would not be announced.
     */
    public void close() {
        boolean interrupted = false;
        boolean terminated = isTerminated();
        if (!terminated) {
            shutdown();
        }
        while (!terminated) {
            try {
                terminated = awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted = true;
                shutdownNow();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isTerminated() {
        return super.isTerminated() && instruments.terminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return super.awaitTermination(timeout, unit) && instruments.terminated();
    }
}
