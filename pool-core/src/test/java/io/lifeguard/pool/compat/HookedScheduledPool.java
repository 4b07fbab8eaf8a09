package io.lifeguard.pool.compat;

import java.util.concurrent.Callable;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A subclass of the JDK's scheduled pool whose overridden methods are {@link Hooks}. */
class HookedScheduledPool extends ScheduledThreadPoolExecutor {

    private final Hooks hooks;

    HookedScheduledPool(ScheduledSpec spec) {
        super(spec.core(), spec.factoryOrDefault(), spec.handlerOrDefault());
        this.hooks = spec.hooks();
    }

    @Override
    public void execute(Runnable task) {
        hooks.execute(task, () -> super.execute(task));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        hooks.scheduling(task);
        return super.schedule(task, delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        hooks.scheduling(task);
        return super.schedule(task, delay, unit);
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
    protected <V> RunnableScheduledFuture<V> decorateTask(Runnable task, RunnableScheduledFuture<V> future) {
        return hooks.decorateTask(task, () -> super.decorateTask(task, future));
    }

    @Override
    protected <V> RunnableScheduledFuture<V> decorateTask(Callable<V> task, RunnableScheduledFuture<V> future) {
        return hooks.decorateTask(task, () -> super.decorateTask(task, future));
    }
}
