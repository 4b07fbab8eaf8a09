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
        try {
            pool.execute(command);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void shutdown() {
        try {
            pool.shutdown();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        try {
            return pool.shutdownNow();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public boolean isShutdown() {
        try {
            return pool.isShutdown();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public boolean isTerminated() {
        try {
            return pool.isTerminated();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            return pool.awaitTermination(timeout, unit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public Future<?> submit(Runnable task) {
        try {
            return pool.submit(task);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        try {
            return pool.submit(task, result);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        try {
            return pool.submit(task);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        try {
            return pool.invokeAll(tasks);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        try {
            return pool.invokeAll(tasks, timeout, unit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return pool.invokeAny(tasks);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return pool.invokeAny(tasks, timeout, unit);
        } finally {
            Reference.reachabilityFence(this);
        }
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
