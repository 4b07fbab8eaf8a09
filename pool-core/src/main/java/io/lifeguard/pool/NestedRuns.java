package io.lifeguard.pool;

import io.lifeguard.pool.queue.PostponedTasks;
import io.lifeguard.pool.queue.StackReserve;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that one thread runs inside the task that submitted them, because it cannot wait for room. Confined to that
 * thread.
 *
 * <p>A task that submits itself again would nest until the stack overflows. So runs nest 16 levels deep. What the
 * deepest task submits is run after that task, on the same level, or as soon as that task asks a future of this library
 * for its result. Other futures, such as those of {@code invokeAny} and of a {@code CompletableFuture}, nest deeper. A
 * pool with a WorkQueue does not need this: at that depth it lets its queue exceed the capacity.
 */
final class NestedRuns {

    /** Far below the depth at which a stack of 512 KB overflows, and deeper than tasks submit by design. */
    static final int DEEPEST = 16;

    // null in a thread that runs no nested task, so that no thread keeps a class of this library alive
    private static final ThreadLocal<@Nullable NestedRuns> CURRENT = new ThreadLocal<>();

    private int depth;

    private NestedRuns() {}

    /** Whether a further nested run of this thread would be postponed. */
    static boolean isDeepest() {
        NestedRuns runs = CURRENT.get();
        return runs != null && runs.depth >= DEEPEST;
    }

    /** Runs the body of the task now. On the deepest level, runs it when the task that submits it has ended. */
    static void run(Runnable task, Runnable body) {
        NestedRuns runs = CURRENT.get();
        if (runs == null) {
            runs = new NestedRuns();
            CURRENT.set(runs);
            try {
                runs.nest(body);
            } finally {
                CURRENT.remove();
            }
        } else if (runs.depth < DEEPEST || mustNotBePostponed(task)) {
            runs.nest(body);
        } else {
            PostponedTasks.add(body);
        }
    }

    /**
     * Whether the submitter may wait for the task, and this class would not learn of that: a future of another class. A
     * task that submits its successor in this way forever nests until there is little stack left.
     */
    private static boolean mustNotBePostponed(Runnable task) {
        return task instanceof Future<?> && !(task instanceof MeasuredFutureTask<?>) && StackReserve.isAmple();
    }

    private void nest(Runnable task) {
        depth++;
        try {
            task.run();
        } finally {
            if (depth == DEEPEST) {
                PostponedTasks.runAll();
            }
            depth--;
        }
    }
}
