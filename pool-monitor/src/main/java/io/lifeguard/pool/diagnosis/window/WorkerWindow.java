package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One worker in a window. Immutable.
 *
 * @param thread its thread's name at the end of the window
 * @param threadId {@link Thread#getId()}
 * @param busy whether it runs a task at the end of the window
 * @param kind the kind of that task, or of its last one; empty where it is unknown
 * @param runningFor how long that task has been running; zero when none runs
 * @param times the operating system's times of it within the window; empty where the system does not say, and while no
 *     rule has asked
 * @param hasMoved whether it is known to have been on a CPU within the window; false also where that is unknown
 */
public record WorkerWindow(
        String thread,
        long threadId,
        boolean busy,
        Optional<String> kind,
        Duration runningFor,
        Optional<ThreadTimes> times,
        boolean hasMoved) {

    /** Refuses null. */
    public WorkerWindow {
        Objects.requireNonNull(thread, "thread must not be null");
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(runningFor, "runningFor must not be null");
        Objects.requireNonNull(times, "times must not be null");
    }

    /**
     * Makes a worker that has moved if its times say that the system switched it on or off a CPU.
     *
     * @param thread its thread's name at the end of the window, not null
     * @param threadId {@link Thread#getId()}
     * @param busy whether it runs a task at the end of the window
     * @param kind the kind of that task, or of its last one; empty where it is unknown, not null
     * @param runningFor how long that task has been running, not null
     * @param times the operating system's times of it, not null
     */
    public WorkerWindow(
            String thread,
            long threadId,
            boolean busy,
            Optional<String> kind,
            Duration runningFor,
            Optional<ThreadTimes> times) {
        this(
                thread,
                threadId,
                busy,
                kind,
                runningFor,
                times,
                times.isPresent()
                        && times.get().voluntarySwitches() + times.get().involuntarySwitches() > 0);
    }

    /** Written out: that of a record is slow until it is compiled, and each window compares all workers. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerWindow worker
                && threadId == worker.threadId
                && busy == worker.busy
                && hasMoved == worker.hasMoved
                && runningFor.equals(worker.runningFor)
                && thread.equals(worker.thread)
                && kind.equals(worker.kind)
                && times.equals(worker.times);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(threadId) + runningFor.hashCode()) + times.hashCode();
    }

    /**
     * The later of two windows of the same worker, with the times of both if both are known, otherwise with its own.
     */
    WorkerWindow after(WorkerWindow earlier) {
        Optional<ThreadTimes> sum = times.isPresent() && earlier.times.isPresent()
                ? Optional.of(times.get().plus(earlier.times.get()))
                : times;
        return new WorkerWindow(thread, threadId, busy, kind, runningFor, sum, hasMoved || earlier.hasMoved);
    }
}
