package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Tasks;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextScheduledExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes tasks carry Micrometer's context from the thread that submits them to the thread that runs them. Stateless. The
 * context is whatever thread-locals are registered, such as spans and log correlation. Needs the library
 * {@code io.micrometer:context-propagation}.
 *
 * <p>The context is captured when a task is submitted, and is in place while the task runs. When the task ends, the
 * previous context of the thread is restored. This is also true for a submitter that runs the task itself because the
 * pool is full. Thread-locals that the submitter has not set are not set in the task.
 *
 * <p>Tasks are wrapped, so the pool's queue, its hooks and {@code shutdownNow} show wrappers. A wrapper is counted
 * under the kind of the task inside, and has its text. It carries the submitter's context, whichever thread runs it.
 * Tasks that are given to the pool directly are not wrapped: do that where the identity of tasks matters.
 */
public final class ContextPropagation {

    private ContextPropagation() {}

    /**
     * {@return an executor whose tasks carry the context of their submitter, and which shuts the pool down when it is
     * shut down}
     *
     * @param pool where tasks run, not null
     */
    public static ExecutorService propagating(ExecutorService pool) {
        return propagating(pool, defaultFactory());
    }

    /**
     * {@return an executor whose tasks carry the context that a factory captures, likewise}
     *
     * @param pool where tasks run, not null
     * @param contexts captures the context, not null
     */
    public static ExecutorService propagating(ExecutorService pool, ContextSnapshotFactory contexts) {
        return ContextExecutorService.wrap(Objects.requireNonNull(pool, "pool must not be null"), capturing(contexts));
    }

    /**
     * {@return an executor whose tasks carry the context of the thread that scheduled them, periodic ones in every run}
     *
     * @param pool where tasks run, not null
     */
    public static ScheduledExecutorService propagating(ScheduledExecutorService pool) {
        return propagating(pool, defaultFactory());
    }

    /**
     * {@return an executor whose scheduled tasks carry the context that a factory captures, likewise}
     *
     * @param pool where tasks run, not null
     * @param contexts captures the context, not null
     */
    public static ScheduledExecutorService propagating(ScheduledExecutorService pool, ContextSnapshotFactory contexts) {
        Objects.requireNonNull(pool, "pool must not be null");
        return ContextScheduledExecutorService.wrap(pool, capturing(contexts));
    }

    private static ContextSnapshotFactory defaultFactory() {
        return ContextSnapshotFactory.builder().clearMissing(true).build();
    }

    private static Supplier<ContextSnapshot> capturing(ContextSnapshotFactory contexts) {
        Objects.requireNonNull(contexts, "contexts must not be null");
        return () -> new KindKeeper(contexts.captureAll());
    }

    /** A context whose wrapped tasks are counted under the kinds of the tasks inside. Immutable. */
    private record KindKeeper(ContextSnapshot context) implements ContextSnapshot {

        @Override
        public Runnable wrap(Runnable task) {
            return Tasks.inPlaceOf(task, context.wrap(task));
        }

        @Override
        public <T> Callable<T> wrap(Callable<T> task) {
            return Tasks.inPlaceOf(task, context.wrap(task));
        }

        @Override
        public <C> C updateContext(C target) {
            return context.updateContext(target);
        }

        @Override
        public <C> C updateContext(C target, Predicate<Object> keys) {
            return context.updateContext(target, keys);
        }

        @Override
        public Scope setThreadLocals() {
            return context.setThreadLocals();
        }

        @Override
        public Scope setThreadLocals(Predicate<Object> keys) {
            return context.setThreadLocals(keys);
        }
    }
}
