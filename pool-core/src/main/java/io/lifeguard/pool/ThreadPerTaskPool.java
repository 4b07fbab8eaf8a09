package io.lifeguard.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A thread-per-task executor of the JDK (Java 21) whose tasks measure themselves. Thread-safe.
 *
 * <p>The JDK's factories are public methods. They are looked up at run time because this library also runs on Java 17.
 */
final class ThreadPerTaskPool extends AbstractExecutorService implements InstrumentedPool {

    private final ExecutorService threads;
    private final SharedInstruments instruments;

    private ThreadPerTaskPool(ExecutorService threads, @Nullable String name) {
        this.threads = threads;
        this.instruments = new SharedInstruments(this, name);
        Pools.announceCreated(this);
    }

    static ThreadPerTaskPool of(ThreadFactory factory, @Nullable String name) {
        MethodType type = MethodType.methodType(ExecutorService.class, ThreadFactory.class);
        return new ThreadPerTaskPool(call("newThreadPerTaskExecutor", type, factory), name);
    }

    static ThreadPerTaskPool ofVirtualThreads(@Nullable String name) {
        MethodType type = MethodType.methodType(ExecutorService.class);
        return new ThreadPerTaskPool(call("newVirtualThreadPerTaskExecutor", type), name);
    }

    /** Calls a factory method of {@link Executors}. */
    private static ExecutorService call(String factory, MethodType type, Object... arguments) {
        try {
            MethodHandle method = MethodHandles.publicLookup().findStatic(Executors.class, factory, type);
            return (ExecutorService) method.invokeWithArguments(arguments);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new UnsupportedOperationException(
                    factory + " needs Java 21 or newer (this is Java "
                            + Runtime.version().feature() + ")",
                    e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a factory of Executors threw a checked exception", e);
        }
    }

    @Override
    public String name() {
        return instruments.name;
    }

    /** Only the JVM limits the number of threads, and there is no queue. */
    @Override
    public PoolSnapshot snapshot() {
        return instruments.snapshot(new PoolSnapshot.Limits(0, Integer.MAX_VALUE, 0), () -> 0, () -> 0);
    }

    @Override
    public void execute(Runnable task) {
        Runnable measured = instruments.measured(task);
        instruments.submit(() -> {
            threads.execute(measured);
            return measured;
        });
    }

    @Override
    public boolean hasMade(Future<?> future) {
        return future instanceof MeasuredFutureTask<?> task && task.isOf(instruments.failures);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return new MeasuredFutureTask<>(instruments.failures, callable);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return new MeasuredFutureTask<>(instruments.failures, runnable, value);
    }

    @Override
    public void shutdown() {
        threads.shutdown();
        instruments.shutDown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> unexecuted = threads.shutdownNow();
        instruments.shutDown();
        return unexecuted;
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated() && instruments.terminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit) && instruments.terminated();
    }
}
