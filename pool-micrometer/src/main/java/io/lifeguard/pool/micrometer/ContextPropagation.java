package io.lifeguard.pool.micrometer;

import io.micrometer.context.ContextSnapshotFactory;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Makes tasks carry Micrometer's context (spans, log correlation, whatever thread-locals are registered) from the thread that submits them
 * to the one that runs them. Stateless. Needs the library {@code io.micrometer:context-propagation}.
 *
 * <p>The context is taken when a task is submitted, is in place while it runs, and what was there before is restored when it ends: in a worker, and
 * in a submitter that runs the task itself because the pool is full, whose own context is untouched. What the submitter has not set is not set in the
 * task either.
 *
 * <p>Tasks are wrapped, so the pool's queue, hooks and {@code shutdownNow} show wrappers, which carry the context of whoever submitted,
 * whoever runs them. They are counted under the kind of the task inside, and print like it. Nothing is wrapped unless you ask: submit to
 * the pool itself where the identity of tasks matters. Those that the pool is given directly are not touched.
 */
public final class ContextPropagation {

    private ContextPropagation() {}

    /**
     * The pool, for tasks that carry the context of their submitter.
     *
     * @param pool where tasks run, not null
     * @return an executor that submits to the pool, and shuts it down when it is shut down
     */
    public static ExecutorService propagating(ExecutorService pool) {
        return propagating(pool, usual());
    }

    /**
     * The pool, for tasks that carry the context of their submitter.
     *
     * @param pool where tasks run, not null
     * @param contexts what takes the context, not null
     * @return an executor that submits to the pool, and shuts it down when it is shut down
     */
    public static ExecutorService propagating(ExecutorService pool, ContextSnapshotFactory contexts) {
        return new ContextExecutor<>(
                Objects.requireNonNull(pool, "pool must not be null"),
                Objects.requireNonNull(contexts, "contexts must not be null"));
    }

    /**
     * The pool, for tasks that carry the context of whoever scheduled them; repetitive ones in every run.
     *
     * @param pool where tasks run, not null
     * @return an executor that submits to the pool, and shuts it down when it is shut down
     */
    public static ScheduledExecutorService propagating(ScheduledExecutorService pool) {
        return propagating(pool, usual());
    }

    /**
     * The pool, for tasks that carry the context of whoever scheduled them; repetitive ones in every run.
     *
     * @param pool where tasks run, not null
     * @param contexts what takes the context, not null
     * @return an executor that submits to the pool, and shuts it down when it is shut down
     */
    public static ScheduledExecutorService propagating(ScheduledExecutorService pool, ContextSnapshotFactory contexts) {
        return new ContextExecutor.Scheduled(
                Objects.requireNonNull(pool, "pool must not be null"),
                Objects.requireNonNull(contexts, "contexts must not be null"));
    }

    private static ContextSnapshotFactory usual() {
        return ContextSnapshotFactory.builder().clearMissing(true).build();
    }
}
