package io.lifeguard.pool;

import io.lifeguard.pool.os.LiveThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture.AsynchronousCompletionTask;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ForkJoinPool} in asynchronous mode whose runnables and callables measure themselves: the work-stealing pool
 * of {@link InstrumentedExecutors}. Thread-safe. The tasks of a {@link java.util.concurrent.CompletableFuture} measure
 * themselves too. Any other {@link ForkJoinTask} runs unchanged and is not measured.
 */
final class InstrumentedForkJoinPool extends ForkJoinPool implements InstrumentedPool {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final SharedInstruments instruments;

    InstrumentedForkJoinPool(int parallelism, @Nullable String name) {
        super(parallelism, defaultForkJoinWorkerThreadFactory, null, true);
        DiscoveredObservers.load();
        this.instruments = new SharedInstruments(this, name);
        PoolRegistry.announceCreated(this, instruments.name);
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
        return LiveThreads.all().stream()
                .filter(thread -> thread instanceof ForkJoinWorkerThread worker && worker.getPool() == this)
                .map(thread -> worker(thread, active >= size, active == 0))
                .toList();
    }

    /** A thread without work waits. One that waits may also wait within a task, unless all or none have work. */
    private static WorkerState worker(Thread thread, boolean allAreBusy, boolean allAreIdle) {
        Thread.State state = thread.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        boolean busy = allAreBusy || !waits;
        return new WorkerState(
                thread, OptionalLong.empty(), busy, !busy && allAreIdle, Optional.empty(), Duration.ZERO, 0);
    }

    @Override
    public void execute(Runnable task) {
        if (task instanceof AsynchronousCompletionTask) {
            execute(new Completion(instruments.measured(task)));
            return;
        } else if (task instanceof ForkJoinTask<?>) {
            super.execute(task);
            return;
        }
        Runnable measured = instruments.measured(task);
        instruments.submit(() -> {
            super.execute(measured);
            return measured;
        });
    }

    private void execute(Completion completion) {
        instruments.submit(() -> {
            super.execute((Runnable) completion);
            return completion;
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

    // ---- methods of Java 25 ----

    /** Overrides a method of Java 25. */
    @SuppressWarnings("MissingOverride")
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Runnable measured = instruments.delayed(command, unit.toNanos(delay));
        return instruments.submitUncounted(() -> Java25.SCHEDULE_RUNNABLE.call(this, measured, delay, unit));
    }

    /** Overrides a method of Java 25. */
    @SuppressWarnings("MissingOverride")
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        Callable<V> measured = instruments.delayed(callable, unit.toNanos(delay));
        return instruments.submitUncounted(() -> Java25.SCHEDULE_CALLABLE.call(this, measured, delay, unit));
    }

    /** Overrides a method of Java 25. */
    @SuppressWarnings("MissingOverride")
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        Runnable measured = instruments.repeated(command, unit.toNanos(initialDelay), unit.toNanos(period));
        return instruments.submitUncounted(() -> Java25.AT_FIXED_RATE.call(this, measured, initialDelay, period, unit));
    }

    /** Overrides a method of Java 25. */
    @SuppressWarnings("MissingOverride")
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        Runnable measured = instruments.repeated(command, unit.toNanos(initialDelay), -unit.toNanos(delay));
        return instruments.submitUncounted(
                () -> Java25.WITH_FIXED_DELAY.call(this, measured, initialDelay, delay, unit));
    }

    /** Overrides a method of Java 25. */
    @SuppressWarnings("MissingOverride")
    public <V> ForkJoinTask<V> submitWithTimeout(
            Callable<V> callable, long timeout, TimeUnit unit, Consumer<? super ForkJoinTask<V>> timeoutAction) {
        Callable<V> measured = instruments.measured(callable);
        return instruments.submit(() -> Java25.SUBMIT_WITH_TIMEOUT.call(this, measured, timeout, unit, timeoutAction));
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

    /**
     * A measured task of a {@link java.util.concurrent.CompletableFuture}. It keeps the type by which a thread that
     * waits for a completion finds tasks that it can run meanwhile.
     */
    private static final class Completion extends ForkJoinTask<Void> implements Runnable, AsynchronousCompletionTask {

        private static final long serialVersionUID = 1;
        private final transient Runnable measured;

        Completion(Runnable measured) {
            this.measured = measured;
        }

        @Override
        public void run() {
            measured.run();
        }

        @Override
        protected boolean exec() {
            measured.run();
            return false; // as the task itself answers: no thread waits for it
        }

        @Override
        public @Nullable Void getRawResult() {
            return null;
        }

        @Override
        protected void setRawResult(@Nullable Void value) {}

        @Override
        public String toString() {
            return measured.toString();
        }
    }

    /** Methods that {@link ForkJoinPool} has since Java 25. They are public, and looked up at the first call. */
    private enum Java25 {
        SCHEDULE_RUNNABLE("schedule", ScheduledFuture.class, Runnable.class, long.class, TimeUnit.class),
        SCHEDULE_CALLABLE("schedule", ScheduledFuture.class, Callable.class, long.class, TimeUnit.class),
        AT_FIXED_RATE(
                "scheduleAtFixedRate", ScheduledFuture.class, Runnable.class, long.class, long.class, TimeUnit.class),
        WITH_FIXED_DELAY(
                "scheduleWithFixedDelay",
                ScheduledFuture.class,
                Runnable.class,
                long.class,
                long.class,
                TimeUnit.class),
        SUBMIT_WITH_TIMEOUT(
                "submitWithTimeout", ForkJoinTask.class, Callable.class, long.class, TimeUnit.class, Consumer.class);

        private final MethodHandle method;

        Java25(String name, Class<?> result, Class<?>... parameters) {
            try {
                MethodType type = MethodType.methodType(result, parameters);
                this.method = LOOKUP.findSpecial(ForkJoinPool.class, name, type, InstrumentedForkJoinPool.class);
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new UnsupportedOperationException(name + " needs Java 25 or newer", e);
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the result's type is that of the method
        <T> T call(@Nullable Object... poolAndArguments) {
            try {
                return (T) method.invokeWithArguments(poolAndArguments);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("a method of ForkJoinPool threw a checked exception", e);
            }
        }
    }
}
