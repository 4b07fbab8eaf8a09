package io.lifeguard.pool;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Delegates to a pool and hides its setters, so that the pool cannot be reconfigured. The JDK's single-thread factories
 * return such an object, too. Thread-safe. Every call keeps this object reachable until it returns, so that
 * {@link AutoShutdown} does not act too early.
 */
class DelegatedPool<E extends ExecutorService & InstrumentedPool> implements ExecutorService, InstrumentedPool {

    private final E pool;

    DelegatedPool(E pool) {
        this.pool = pool;
    }

    final E pool() {
        return pool;
    }

    /** Keeps this object reachable until a call has returned its result: a use that follows the call is enough. */
    @SuppressWarnings("ReachabilityFenceUsage") // nobody knows beforehand that a call will throw
    private <T> T kept(T result) {
        Reference.reachabilityFence(this);
        return result;
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public PoolSnapshot snapshot() {
        return pool.snapshot();
    }

    @Override
    public List<WorkerState> workers() {
        return pool.workers();
    }

    @Override
    public boolean hasMade(Future<?> future) {
        return pool.hasMade(future);
    }

    @Override
    public void execute(Runnable command) {
        pool.execute(command);
        kept(pool);
    }

    @Override
    public void shutdown() {
        pool.shutdown();
        kept(pool);
    }

    @Override
    public List<Runnable> shutdownNow() {
        return kept(pool.shutdownNow());
    }

    @Override
    public boolean isShutdown() {
        return kept(pool.isShutdown());
    }

    @Override
    public boolean isTerminated() {
        return kept(pool.isTerminated());
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return kept(pool.awaitTermination(timeout, unit));
    }

    @Override
    public Future<?> submit(Runnable task) {
        return kept(pool.submit(task));
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return kept(pool.submit(task, result));
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return kept(pool.submit(task));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return kept(pool.invokeAll(tasks));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return kept(pool.invokeAll(tasks, timeout, unit));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return kept(pool.invokeAny(tasks));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return kept(pool.invokeAny(tasks, timeout, unit));
    }

    /** Shuts its pool down once this object is unreachable. The pool and its thread hold no reference to it. */
    static final class AutoShutdown extends DelegatedPool<InstrumentedThreadPoolExecutor> {

        private final Cleaner.Cleanable shutdown;

        AutoShutdown(InstrumentedThreadPoolExecutor pool) {
            super(pool);
            this.shutdown = Cleaners.CLEANER.register(this, new Shutdown(pool));
        }

        @Override
        public void shutdown() {
            super.shutdown();
            shutdown.clean(); // unregisters it; the pool is shut down already
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> unexecuted = super.shutdownNow();
            shutdown.clean();
            return unexecuted;
        }
    }

    /** Holds the cleaner, whose thread starts with the first single-thread executor. */
    private static final class Cleaners {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private record Shutdown(InstrumentedThreadPoolExecutor pool) implements Runnable {
        @Override
        public void run() {
            if (!pool.isShutdown()) {
                pool.shutdown();
            }
        }
    }

    /** Delegates to a scheduled pool. Like the JDK's delegate, it does not shut the pool down by itself. */
    static final class Scheduled extends DelegatedPool<InstrumentedScheduledThreadPoolExecutor>
            implements ScheduledExecutorService {

        Scheduled(InstrumentedScheduledThreadPoolExecutor pool) {
            super(pool);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            return pool().schedule(command, delay, unit);
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
            return pool().schedule(callable, delay, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
            return pool().scheduleAtFixedRate(command, initialDelay, period, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
                Runnable command, long initialDelay, long delay, TimeUnit unit) {
            return pool().scheduleWithFixedDelay(command, initialDelay, delay, unit);
        }
    }
}
