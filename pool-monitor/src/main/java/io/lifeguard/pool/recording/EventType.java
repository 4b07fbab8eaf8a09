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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types of events in a recording, and their fields. The events of a flight recording and those of the black box are
 * made from this table; {@link EventValues} takes the fields from an {@link Observation}, and {@link EventReader} makes
 * an observation of them. Immutable.
 *
 * <p>There is no function for each field: linking a hundred of them took a starting JVM 30 ms of CPU time.
 *
 * <p>A reader finds fields by name and ignores what it does not know, so later versions may add fields and types.
 */
public enum EventType {
    TASK(
            TaskRun.class,
            "Task",
            "Task Run",
            "A task that ran on a worker for longer than the threshold; the duration is its service time",
            new EventFields()
                    .text("thread", "Worker", "Name of the worker's thread")
                    .text("kind", "Kind", "Kind of task, mostly the name of its class")
                    .timespan("queueWait", "Queue Wait", "Time from acceptance to the start of the run")
                    .timespan("serviceTime", "Service Time", "Wall time of the run")
                    .timespan("cpuTime", "CPU Time", "CPU time that the run used")
                    .flag("failed", "Failed", "Whether the task ended with an exception")),
    SUBMIT_WAIT(
            SubmitWait.class,
            "SubmitWait",
            "Submit Wait",
            "A submitter waited for room in a full pool",
            new EventFields()
                    .text("thread", "Submitter", "Name of the submitter's thread")
                    .timespan("waited", "Waited", "How long the submitter waited")
                    .flag("accepted", "Accepted", "Whether the pool then accepted the task")),
    CALLER_RUN(
            CallerRun.class,
            "CallerRun",
            "Caller Run",
            "A submitter ran its task itself, because the pool was full",
            new EventFields()
                    .text("thread", "Submitter", "Name of the submitter's thread")
                    .timespan("ran", "Ran", "How long the submitter ran the task")
                    .number("idleWorkers", "Idle Workers", "Mean number of idle workers meanwhile")),
    REJECTION(
            Rejection.class,
            "Rejection",
            "Rejection",
            "The pool refused a task",
            new EventFields()
                    .text("thread", "Submitter", "Name of the submitter's thread")
                    .text("reason", "Reason", "Why the task was refused")),
    WORKER_SAMPLE(
            WorkerSample.class,
            "WorkerSample",
            "Worker Sample",
            "What one worker did at one moment",
            new EventFields()
                    .text("thread", "Worker", "Name of the worker's thread")
                    .text("doing", "Doing", "What the worker did")
                    .text("place", "Place", "First frame that is the user's own")
                    .text("awaited", "Waits For", "Lock, pool or resource that the worker waited for")
                    .text("holder", "Holder", "Thread that held the lock")),
    POOL_LOOKS(
            PoolLooks.class,
            "PoolLooks",
            "Pool Looks",
            "What all workers of a pool did in the time before this event",
            new EventFields()
                    .timespan("length", "Length", "How long the window was")
                    .timespan("busy", "Busy", "How long workers ran tasks, summed over all workers")
                    .timespan("cpuTime", "CPU Time", "CPU time of these tasks")
                    .timespan("callerRuns", "Caller Runs", "How long submitters ran tasks themselves")
                    .timespan(
                            "busyBefore",
                            "Busy Before",
                            "In the first window: how long workers had run tasks before it")
                    .timespan(
                            "callerRunsBefore",
                            "Caller Runs Before",
                            "In the first window: how long submitters had run tasks before it")
                    .count("stacks", "Stacks", "How many stacks of workers were taken")
                    .text("content", "Content", "The looks at all workers, packed")
                    .timespan(EventFields.LATE, "Late", EventFields.LATE_MEANS)),
    WORKER_STACK(
            WorkerStack.class,
            "WorkerStack",
            "Worker Stack",
            "A stack to which looks at workers refer by number",
            new EventFields()
                    .total("number", "Number", "Number of the stack")
                    .text("frames", "Frames", "The stack, top first, one line per frame")),
    WINDOW(
            WindowSummary.class,
            "Window",
            "Window",
            "The figures of one pool in the time before this event",
            WindowEvent.fields()),
    FINDING(
            FindingChange.class,
            "Finding",
            "Finding",
            "A finding was raised, has changed, or is over",
            new EventFields()
                    .text("id", "Id", "Which diagnosis")
                    .text("change", "Change", "RAISED, UPDATED, RESOLVED or ENDED")
                    .text("severity", "Severity", "INFO, WARNING or CRITICAL")
                    .text("summary", "Summary", "The cause with its decisive numbers")
                    .text("advice", "Advice", "What to do")
                    .text("evidence", "Evidence", "The numbers, one per line, as name = value")
                    .text("stack", "Stack", "The decisive stack, top first, one line per frame")
                    .text("holder", "Holder", "Thread that holds the lock")
                    .count("recommendedSize", "Recommended Size", "Workers that the pool should have")
                    .count("sizeLow", "Smallest Size", "Smallest size that is as good")
                    .count("sizeHigh", "Largest Size", "Largest size that is as good")
                    .timespan("age", "Age", "Time since the finding was first seen")
                    .text("why", "Why", "Why it ended"));

    /** What the names of all events begin with. */
    public static final String PREFIX = "io.lifeguard.";

    /** The category of all events, which tools show as a folder. */
    public static final String CATEGORY = "Lifeguard";

    private final Class<? extends Observation> observation;
    private final String eventName;
    private final String label;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
    private final List<EventField> fields;

    EventType(
            Class<? extends Observation> observation,
            String name,
            String label,
            String description,
            EventFields fields) {
        this.observation = observation;
        this.eventName = PREFIX + name;
        this.label = label;
        this.description = description;
        this.fields = fields.all();
    }

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
        @Nullable Object[] known = EventValues.of(of, lateNanos);
        Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).form().stored(known[i]);
        }
        return values;
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

    /** {@return one sentence that says what an event means} */
    public String description() {
        return description;
    }

    /** {@return the fields in their order, without start time and duration} */
    public List<EventField> fields() {
        return fields;
    }
}
