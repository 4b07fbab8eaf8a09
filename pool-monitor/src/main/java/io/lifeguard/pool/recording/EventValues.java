package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import org.jspecify.annotations.Nullable;

/** Takes the values of an event's fields from an observation. Stateless. */
final class EventValues {

    private EventValues() {}

    /**
     * {@return the values, in the order of {@link EventType#fields()}; an empty {@code Optional} or null is unknown}
     *
     * @param lateNanos how long after the end of the observation its event is written
     */
    static @Nullable Object[] of(Observation observation, long lateNanos) {
        if (observation instanceof TaskRun run) {
            return values(
                    run.pool(),
                    run.thread(),
                    run.kind(),
                    run.queueWaitNanos(),
                    run.durationNanos(),
                    run.cpuNanos(),
                    run.failed());
        } else if (observation instanceof SubmitWait wait) {
            return values(wait.pool(), wait.thread(), wait.durationNanos(), wait.accepted());
        } else if (observation instanceof CallerRun run) {
            return values(run.pool(), run.thread(), run.durationNanos(), run.idleWorkers());
        } else if (observation instanceof Rejection rejection) {
            return values(rejection.pool(), rejection.thread(), rejection.reason());
        } else if (observation instanceof WorkerSample sample) {
            return values(
                    sample.pool(), sample.thread(), sample.doing(), sample.place(), sample.awaited(), sample.holder());
        } else if (observation instanceof PoolLooks looks) {
            return values(
                    looks.pool(),
                    looks.durationNanos(),
                    looks.busyNanos(),
                    looks.cpuNanos(),
                    looks.callerRunNanos(),
                    looks.busyBeforeNanos(),
                    looks.callerRunsBeforeNanos(),
                    looks.stacks(),
                    looks.content(),
                    lateNanos);
        } else if (observation instanceof WorkerStack stack) {
            return values(stack.pool(), stack.number(), String.join("\n", stack.frames()));
        } else if (observation instanceof WindowSummary window) {
            return WindowEvent.values(window, lateNanos);
        } else if (observation instanceof FindingChange change) {
            return values(
                    change.pool(),
                    change.id(),
                    change.change(),
                    change.severity(),
                    change.summary(),
                    change.advice(),
                    EventText.ofEvidence(change.evidence()),
                    String.join("\n", change.stack()),
                    change.holder(),
                    change.recommendedSize(),
                    change.sizeLow(),
                    change.sizeHigh(),
                    change.startNanos() - change.sinceNanos(),
                    change.why());
        }
        throw new IllegalArgumentException("there is no event for a " + observation.getClass());
    }

    private static @Nullable Object[] values(@Nullable Object... values) {
        return values;
    }
}
