package io.lifeguard.pool;

import io.lifeguard.pool.Race.Task;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A submission that waits at a full queue, or is about to. The first task holds the only worker until it is let go. The
 * second fills the queue. The third is the one that waits.
 */
final class BlockedSubmission {

    final InstrumentedThreadPoolExecutor pool = Race.pool(1, 0);
    final Task first = new Task(true);
    final Task third = new Task(false);
    private final Task second = new Task(false);
    private volatile @Nullable Thread submitter; // set once the queue is full

    /** Returns the outcome of the third submission. */
    String submit() {
        pool.execute(first);
        pool.execute(second);
        submitter = Thread.currentThread();
        return Race.execute(pool, third);
    }

    /** Waits until the queue is full. Returns the thread that submits the third task. */
    Thread awaitFull() {
        Race.comesTrue(() -> submitter != null);
        return Objects.requireNonNull(submitter, "the queue was never filled");
    }
}
