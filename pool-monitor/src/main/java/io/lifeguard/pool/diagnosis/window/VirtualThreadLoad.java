package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What one window of the monitor showed of this JVM's virtual threads. Immutable.
 *
 * @param carriers on how many platform threads virtual threads run at most, by the scheduler's parallelism
 * @param mounted how many virtual threads had a carrier at the last look; empty before Java 24, which does not tell
 * @param queued how many virtual threads waited for a carrier at the last look; empty before Java 24
 * @param startDelay how late a virtual thread of the monitor started, or for how long it has been waiting
 * @param live how many virtual threads instrumented executors had; those of other code are unknown
 * @param waiting what eight or more of an executor's threads waited for during the whole window; the three longest
 *     queues of each executor with a thread per task
 */
public record VirtualThreadLoad(
        int carriers,
        OptionalInt mounted,
        OptionalInt queued,
        Duration startDelay,
        long live,
        List<WaitingThreads> waiting) {

    /** Copies the list. */
    public VirtualThreadLoad {
        Objects.requireNonNull(mounted, "mounted must not be null");
        Objects.requireNonNull(queued, "queued must not be null");
        Objects.requireNonNull(startDelay, "startDelay must not be null");
        waiting = List.copyOf(waiting);
    }
}
