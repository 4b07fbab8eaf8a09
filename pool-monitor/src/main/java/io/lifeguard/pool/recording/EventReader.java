package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes an observation of an event's fields. Stateless. */
public final class EventReader {

    private EventReader() {}

    /**
     * {@return the observation that an event holds; empty when this version does not understand it}
     *
     * @param eventName the event's name, as {@code io.lifeguard.Task}
     */
    public static Optional<Observation> read(String eventName, EventRow row) {
        for (EventType type : EventType.values()) {
            if (type.eventName().equals(eventName)) {
                return Optional.ofNullable(read(type, row));
            }
        }
        return Optional.empty();
    }

    private static @Nullable Observation read(EventType type, EventRow row) {
        return switch (type) {
            case TASK ->
                new TaskRun(
                        row.startNanos(),
                        row.length("serviceTime"),
                        row.pool(),
                        row.text("thread"),
                        row.text("kind"),
                        row.optionalLong("queueWait"),
                        row.optionalLong("cpuTime"),
                        row.flag("failed"));
            case SUBMIT_WAIT ->
                new SubmitWait(
                        row.startNanos(), row.length("waited"), row.pool(), row.text("thread"), row.flag("accepted"));
            case CALLER_RUN ->
                new CallerRun(
                        row.startNanos(), row.length("ran"), row.pool(), row.text("thread"), row.real("idleWorkers"));
            case REJECTION -> new Rejection(row.startNanos(), row.pool(), row.text("thread"), row.text("reason"));
            case WORKER_SAMPLE ->
                new WorkerSample(
                        row.startNanos(),
                        row.pool(),
                        row.text("thread"),
                        doing(row.text("doing")),
                        row.text("place"),
                        row.text("awaited"),
                        row.text("holder"));
            case POOL_LOOKS -> readLooks(row);
            case WORKER_STACK ->
                new WorkerStack(
                        row.startNanos(),
                        row.pool(),
                        row.number("number"),
                        row.text("frames").isEmpty()
                                ? List.of()
                                : row.text("frames").lines().toList());
            case WINDOW -> WindowEvent.read(row);
            case FINDING -> readFinding(row);
        };
    }

    private static Observation readLooks(EventRow row) {
        long length = Math.max(0, row.number("length"));
        return new PoolLooks(
                row.windowEndNanos() - length,
                length,
                row.pool(),
                row.optionalLong("busy"),
                row.optionalLong("cpuTime"),
                row.optionalLong("callerRuns"),
                row.optionalLong("busyBefore"),
                row.optionalLong("callerRunsBefore"),
                (int) Math.max(0, row.number("stacks")),
                row.text("content"));
    }

    private static @Nullable Observation readFinding(EventRow row) {
        Change change;
        try {
            change = Change.valueOf(row.text("change"));
        } catch (IllegalArgumentException ignored) { // of a later version
            return null;
        }
        return new FindingChange(
                row.startNanos(),
                row.pool(),
                change,
                row.text("why"),
                row.text("id"),
                row.text("severity"),
                row.startNanos() - Math.max(0, row.number("age")),
                row.text("summary"),
                row.text("advice"),
                EventText.evidence(row.text("evidence")),
                row.text("stack").lines().toList(),
                row.text("holder"),
                row.optionalInt("recommendedSize"),
                row.optionalInt("sizeLow"),
                row.optionalInt("sizeHigh"));
    }

    private static Doing doing(String name) {
        for (Doing doing : Doing.values()) {
            if (doing.name().equals(name)) {
                return doing;
            }
        }
        return Doing.UNKNOWN;
    }
}
