package io.lifeguard.pool;

import java.time.Duration;
import java.util.Objects;

/**
 * A worker as it is now. Immutable, but the thread is the live one: do not keep it.
 *
 * @param thread its thread
 * @param nativeId the operating system's number of the thread, as in {@code /proc/self/task}; -1 where that is not known
 * @param busy whether it runs a task
 * @param idle whether it waits for a task; neither busy nor idle while it starts, ends or changes tasks
 * @param kind the kind of the task that runs, or of the last one
 * @param runningFor how long that task has been running; zero when none runs
 * @param begun how many tasks it has begun
 */
public record WorkerState(
        Thread thread, long nativeId, boolean busy, boolean idle, String kind, Duration runningFor, long begun) {

    /** Refuses null. */
    public WorkerState {
        Objects.requireNonNull(thread, "thread must not be null");
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(runningFor, "runningFor must not be null");
    }
}
