package io.lifeguard.pool;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of one worker at one moment. Immutable, but holds the live thread: do not keep it.
 *
 * @param thread its thread
 * @param nativeId the operating system's number of the thread, as in {@code /proc/self/task}; empty where it is unknown
 * @param busy whether it runs a task
 * @param idle whether it waits for a task; a worker that starts, ends or changes tasks is neither busy nor idle
 * @param kind the kind of the task that runs, or of the last one; empty where it is unknown
 * @param runningFor how long that task has been running; zero when none runs
 * @param begun how many tasks it has begun
 */
public record WorkerState(
        Thread thread,
        OptionalLong nativeId,
        boolean busy,
        boolean idle,
        Optional<String> kind,
        Duration runningFor,
        long begun) {

    /** Refuses null. */
    public WorkerState {
        Objects.requireNonNull(thread, "thread must not be null");
        Objects.requireNonNull(nativeId, "nativeId must not be null");
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(runningFor, "runningFor must not be null");
    }
}
