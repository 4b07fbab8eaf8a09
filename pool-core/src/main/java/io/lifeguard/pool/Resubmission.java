package io.lifeguard.pool;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Submits a task again from within a saturation policy, without recursion: when the pool refuses it once more, the nested call of
 * the policy returns at once and {@link #submit} says so. Confined to the submitting thread.
 */
final class Resubmission {

    private static final ThreadLocal<@Nullable Resubmission> CURRENT = new ThreadLocal<>();

    private final Runnable task;
    private final ThreadPoolExecutor executor;
    private boolean refused;

    private Resubmission(Runnable task, ThreadPoolExecutor executor) {
        this.task = task;
        this.executor = executor;
    }

    /** Whether the pool accepted the task this time. */
    static boolean submit(Runnable task, ThreadPoolExecutor executor) {
        Resubmission outer = CURRENT.get();
        Resubmission attempt = new Resubmission(task, executor);
        CURRENT.set(attempt);
        try {
            executor.execute(task);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
        return !attempt.refused;
    }

    /** Whether this call of the policy comes from a {@link #submit} further down the stack, which is told. */
    static boolean isNested(Runnable task, ThreadPoolExecutor executor) {
        Resubmission attempt = CURRENT.get();
        if (attempt == null || attempt.task != task || attempt.executor != executor) {
            return false;
        }
        attempt.refused = true;
        return true;
    }
}
