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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The types of events in a recording. The events of a flight recording and those of the black box are made from this
 * table; {@link Events} has their fields. Immutable.
 *
 * <p>A reader finds fields by name and ignores what it does not know, so later versions may add fields and types.
 */
public enum EventType {
    TASK(
            TaskRun.class,
            "Task",
            "Task Run",
            "A task that ran on a worker for longer than the threshold; the duration is its service time"),
    SUBMIT_WAIT(SubmitWait.class, "SubmitWait", "Submit Wait", "A submitter waited for room in a full pool"),
    CALLER_RUN(
            CallerRun.class, "CallerRun", "Caller Run", "A submitter ran its task itself, because the pool was full"),
    REJECTION(Rejection.class, "Rejection", "Rejection", "The pool refused a task"),
    WORKER_SAMPLE(WorkerSample.class, "WorkerSample", "Worker Sample", "What one worker did at one moment"),
    POOL_LOOKS(
            PoolLooks.class, "PoolLooks", "Pool Looks", "What all workers of a pool did in the time before this event"),
    WORKER_STACK(WorkerStack.class, "WorkerStack", "Worker Stack", "A stack to which looks at workers refer by number"),
    WINDOW(WindowSummary.class, "Window", "Window", "The figures of one pool in the time before this event"),
    FINDING(FindingChange.class, "Finding", "Finding", "A finding was raised, has changed, or is over");

    /** What the names of all events begin with. */
    public static final String PREFIX = "io.lifeguard.";

    /** The category of all events, which tools show as a folder. */
    public static final String CATEGORY = "Lifeguard";

    private final Class<? extends Observation> observation;
    private final String eventName;
    private final String label;
    private final String description;

    EventType(Class<? extends Observation> observation, String name, String label, String description) {
        this.observation = observation;
        this.eventName = PREFIX + name;
        this.label = label;
        this.description = description;
    }

    /** {@return the type of the event that holds an observation} */
    public static EventType of(Observation observation) {
        for (EventType type : values()) {
            if (type.observation == observation.getClass()) {
                return type;
            }
        }
        throw new IllegalArgumentException("there is no event for a " + observation.getClass());
    }

    /**
     * {@return the values of the fields of an observation of this type, in their order}
     *
     * @param lateNanos how long after the end of the observation its event is written
     */
    public Object[] values(Observation of, long lateNanos) {
        EventFields.Writing values = new EventFields.Writing(lateNanos);
        Events.pass(values, of);
        return values.values.toArray();
    }

    /**
     * {@return the observation that an event holds; empty when this version does not understand it}
     *
     * @param eventName the event's name, as {@code io.lifeguard.Task}
     */
    public static Optional<Observation> read(String eventName, EventRow row) {
        for (EventType type : values()) {
            if (type.eventName.equals(eventName)) {
                return type.read(row);
            }
        }
        return Optional.empty();
    }

    /** {@return the observation of this type that an event holds; empty when this version does not understand it} */
    Optional<Observation> read(EventRow row) {
        return Optional.ofNullable(Events.pass(new EventFields.Reading(row), Events.blank(observation)));
    }

    /** {@return whether its events have a duration of their own; others are written when they end} */
    public boolean hasDuration() {
        return this == TASK || this == SUBMIT_WAIT || this == CALLER_RUN;
    }

    /** {@return the name in recordings, as {@code io.lifeguard.Task}} */
    public String eventName() {
        return eventName;
    }

    public String label() {
        return label;
    }

    public String description() {
        return description;
    }

    /** {@return the fields in their order, without start time and duration} */
    public List<EventField> fields() {
        return Objects.requireNonNull(Fields.BY_TYPE.get(this));
    }

    /** Listed when a box or a recording first needs them. */
    private static final class Fields {
        static final Map<EventType, List<EventField>> BY_TYPE = new EnumMap<>(EventType.class);

        static {
            for (EventType type : values()) {
                EventFields.Listing fields = new EventFields.Listing();
                Events.pass(fields, Events.blank(type.observation));
                BY_TYPE.put(type, List.copyOf(fields.all));
            }
        }
    }
}
