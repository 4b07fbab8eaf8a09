package io.lifeguard.pool.compat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Wrong pools whose fault needs several methods. Several checks examine each pool. */
final class WrongSubclasses {

    private WrongSubclasses() {}

    static final class IgnoredSetters extends HookedPool {
        IgnoredSetters(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void setCorePoolSize(int size) {}

        @Override
        public void setMaximumPoolSize(int size) {}

        @Override
        public void setKeepAliveTime(long time, TimeUnit unit) {}

        @Override
        public void allowCoreThreadTimeOut(boolean allow) {}
    }

    static final class TimesByTask extends HookedPool {
        private final Map<Runnable, Long> times = new ConcurrentHashMap<>();

        TimesByTask(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void execute(Runnable task) {
            times.put(task, System.nanoTime());
            super.execute(task);
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            Objects.requireNonNull(times.remove(task));
            super.beforeExecute(worker, task);
        }
    }

    static final class WrongInterrupts extends HookedPool {
        WrongInterrupts(PoolSpec spec) {
            super(spec);
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
            return new FutureTask<>(task, value) {
                @Override
                public boolean cancel(boolean mayInterrupt) {
                    return super.cancel(!mayInterrupt);
                }
            };
        }
    }

    /**
     * Has a lock that is not reentrant. An interrupt ends the wait for the lock, so that the fixture can end the pool.
     */
    static final class OneLock extends HookedPool {
        private final Semaphore lock = new Semaphore(1);

        OneLock(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void execute(Runnable task) {
            locked(() -> super.execute(task));
        }

        @Override
        public Future<?> submit(Runnable task) {
            RunnableFuture<?>[] future = new RunnableFuture<?>[1];
            locked(() -> future[0] = newTaskFor(task, null));
            execute(future[0]);
            return future[0];
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            locked(() -> super.beforeExecute(worker, task));
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            locked(() -> super.afterExecute(task, thrown));
        }

        private void locked(Runnable action) {
            try {
                lock.acquire();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            try {
                action.run();
            } finally {
                lock.release();
            }
        }
    }

    static final class NeverInterrupting extends HookedPool {
        NeverInterrupting(PoolSpec spec) {
            super(spec);
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = new ArrayList<>();
            getQueue().drainTo(tasks);
            super.shutdown();
            return tasks;
        }
    }

    static final class ShutdownNowAlways extends HookedPool {
        ShutdownNowAlways(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void shutdown() {
            shutdownNow();
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = super.shutdownNow();
            for (Runnable task : tasks) {
                if (task instanceof Future<?> future) {
                    future.cancel(true);
                }
            }
            return tasks;
        }
    }

    static final class OwnSettings extends HookedPool {
        OwnSettings(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void setCorePoolSize(int size) {
            super.setMaximumPoolSize(Math.max(size, getMaximumPoolSize()));
            super.setCorePoolSize(size);
        }

        @Override
        public void setMaximumPoolSize(int size) {
            super.setCorePoolSize(Math.min(size, getCorePoolSize()));
            super.setMaximumPoolSize(size);
        }

        @Override
        public void setKeepAliveTime(long time, TimeUnit unit) {
            super.setKeepAliveTime(Math.max(0, unit.toMillis(time)), TimeUnit.MILLISECONDS);
        }

        @Override
        public void allowCoreThreadTimeOut(boolean allow) {
            super.setKeepAliveTime(Math.max(1, getKeepAliveTime(TimeUnit.SECONDS)), TimeUnit.SECONDS);
            super.allowCoreThreadTimeOut(allow);
        }

        @Override
        public void setThreadFactory(ThreadFactory factory) {
            super.setThreadFactory(body -> factory.newThread(body));
        }

        @Override
        public void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
            super.setRejectedExecutionHandler((task, pool) -> handler.rejectedExecution(task, pool));
        }

        @Override
        public String toString() {
            return "pool " + super.toString();
        }

        @Override
        public long getCompletedTaskCount() {
            return super.getCompletedTaskCount() + getActiveCount();
        }
    }

    static final class OwnTasks extends HookedPool {
        OwnTasks(PoolSpec spec) {
            super(spec);
        }

        @Override
        public boolean remove(Runnable task) {
            getQueue().removeIf(queued -> queued == task);
            return true;
        }

        @Override
        public <T> Future<T> submit(Callable<T> task) {
            RunnableFuture<T> future = new FutureTask<>(task) {
                @Override
                protected void done() {
                    if (isCancelled()) {
                        remove(this);
                    }
                }
            };
            execute(future);
            return future;
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
            return super.newTaskFor(task, null);
        }

        @Override
        public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
            List<Future<T>> futures =
                    super.invokeAll(tasks.stream().filter(Objects::nonNull).toList());
            Collections.reverse(futures);
            return futures;
        }

        @Override
        public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
            List<Future<T>> futures = new ArrayList<>();
            tasks.forEach(task -> futures.add(submit(task)));
            return futures;
        }
    }

    static final class OwnEnd extends HookedPool implements AutoCloseable {
        OwnEnd(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void shutdown() {}

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }

        @Override
        protected void terminated() {}

        @Override
        public void close() {
            shutdown();
        }
    }
}
