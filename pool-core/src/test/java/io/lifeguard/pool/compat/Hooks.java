package io.lifeguard.pool.compat;

import java.util.concurrent.Callable;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods that a subclass of a pool overrides. Every method gets the call to {@code super} as its last argument and
 * decides whether to make it. The methods of this class make it.
 */
class Hooks {

    static final Hooks NONE = new Hooks();

    void execute(Runnable task, Runnable callSuper) {
        callSuper.run();
    }

    void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
        callSuper.run();
    }

    void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
        callSuper.run();
    }

    void terminated(Runnable callSuper) {
        callSuper.run();
    }

    <T> RunnableFuture<T> newTaskFor(Runnable task, T value, Supplier<RunnableFuture<T>> callSuper) {
        return callSuper.get();
    }

    <T> RunnableFuture<T> newTaskFor(Callable<T> task, Supplier<RunnableFuture<T>> callSuper) {
        return callSuper.get();
    }

    /** Returns the factory of the threads. If it is not null, the subclass also overrides {@code getThreadFactory}. */
    @Nullable
    ThreadFactory threads() {
        return null;
    }

    /** Scheduled pools only; {@code task} is the user's {@code Runnable} or {@code Callable}. */
    <V> RunnableScheduledFuture<V> decorateTask(Object task, Supplier<RunnableScheduledFuture<V>> callSuper) {
        return callSuper.get();
    }

    /** Scheduled pools only: called for every {@code schedule(Runnable)} and {@code schedule(Callable)}. */
    void scheduling(Object task) {}
}
