package io.lifeguard.pool;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that one thread runs inside the task that submitted them, because it cannot wait for room. Confined to that
 * thread.
 *
 * <p>A task that submits itself again would nest until the stack overflows. So runs nest 16 levels deep. What the
 * deepest task submits is run after that task, on the same level. A pool with a WorkQueue does not need this: at that
 * depth it lets its queue exceed the capacity.
 */
final class NestedRuns {

    /** Far below the depth at which a stack of 512 KB overflows, and deeper than tasks submit by design. */
    static final int DEEPEST = 16;

    // null in a thread that runs no nested task, so that no thread keeps a class of this library alive
    private static final ThreadLocal<@Nullable NestedRuns> CURRENT = new ThreadLocal<>();

    private final ArrayDeque<Runnable> postponed = new ArrayDeque<>();
    private int depth;

    private NestedRuns() {}

    /** Whether a further nested run of this thread would be postponed. */
    static boolean isDeepest() {
        NestedRuns runs = CURRENT.get();
        return runs != null && runs.depth >= DEEPEST;
    }

    /** Runs the task now. On the deepest level, runs it when the task that submits it has ended. */
    static void run(Runnable task) {
        NestedRuns runs = CURRENT.get();
        if (runs == null) {
            runs = new NestedRuns();
            CURRENT.set(runs);
            try {
                runs.nest(task);
            } finally {
                CURRENT.remove();
            }
        } else if (runs.depth < DEEPEST) {
            runs.nest(task);
        } else {
            runs.postponed.add(task);
        }
    }

    private void nest(Runnable task) {
        depth++;
        try {
            task.run();
        } finally {
            if (depth == DEEPEST) {
                runPostponed();
            }
            depth--;
        }
    }

    /** Their submitter has returned. What they throw goes where a worker's exceptions go. */
    private void runPostponed() {
        for (Runnable task = postponed.poll(); task != null; task = postponed.poll()) {
            try {
                task.run();
            } catch (Throwable e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }
}
