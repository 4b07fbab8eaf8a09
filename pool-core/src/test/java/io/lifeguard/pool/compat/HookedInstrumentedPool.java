package io.lifeguard.pool.compat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** A subclass of the instrumented pool whose overridden methods are {@link Hooks}. */
class HookedInstrumentedPool extends InstrumentedThreadPoolExecutor {

    private final Hooks hooks;

    HookedInstrumentedPool(PoolSpec spec) {
        super(
                spec.core(),
                spec.maximum(),
                spec.keepAlive(),
                spec.unit(),
                spec.queue(),
                spec.factoryOrDefault(),
                spec.handlerOrDefault());
        this.hooks = spec.hooks();
    }

    /** The subclass that the specification asks for. */
    static ThreadPoolExecutor of(PoolSpec spec) {
        ThreadFactory threads = spec.hooks().threads();
        if (threads == null) {
            return new HookedInstrumentedPool(spec);
        }
        return new HookedInstrumentedPool(spec) {
            @Override
            public ThreadFactory getThreadFactory() {
                return threads;
            }
        };
    }

    @Override
    public void execute(Runnable task) {
        hooks.execute(task, () -> super.execute(task));
    }

    @Override
    protected void beforeExecute(Thread worker, Runnable task) {
        hooks.beforeExecute(worker, task, () -> super.beforeExecute(worker, task));
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        hooks.afterExecute(task, thrown, () -> super.afterExecute(task, thrown));
    }

    @Override
    protected void terminated() {
        hooks.terminated(super::terminated);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
        return hooks.newTaskFor(task, value, () -> super.newTaskFor(task, value));
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return hooks.newTaskFor(task, () -> super.newTaskFor(task));
    }
}
