package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowEvidence;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The types of events in a recording: their fields, how each field is taken from an {@link Observation}, and how an
 * observation is read back. The events of a flight recording and those of the black box are made from this table.
 * Immutable.
 *
 * <p>A reader finds fields by name and ignores what it does not know, so later versions may add fields and types.
 */
public enum EventType {
    /** A {@link Observation.TaskRun}. */
    TASK(
            TaskRun.class,
            "Task",
            "Task Run",
            "A task that ran on a worker for longer than the threshold; the duration is its service time",
            EventFields.<TaskRun>begin()
                    .text("thread", "Worker", "Name of the worker's thread", TaskRun::thread)
                    .text("kind", "Kind", "Kind of task, mostly the name of its class", TaskRun::kind)
                    .timespan(
                            "queueWait",
                            "Queue Wait",
                            "Time from acceptance to the start of the run",
                            TaskRun::queueWaitNanos)
                    .timespan("serviceTime", "Service Time", "Wall time of the run", TaskRun::durationNanos)
                    .timespan("cpuTime", "CPU Time", "CPU time that the run used", TaskRun::cpuNanos)
                    .flag("failed", "Failed", "Whether the task ended with an exception", TaskRun::failed),
            row -> new TaskRun(
                    row.startNanos(),
                    row.length("serviceTime"),
                    row.pool(),
                    row.text("thread"),
                    row.text("kind"),
                    row.optionalLong("queueWait"),
                    row.optionalLong("cpuTime"),
                    row.flag("failed"))),
    /** A {@link Observation.SubmitWait}. */
    SUBMIT_WAIT(
            SubmitWait.class,
            "SubmitWait",
            "Submit Wait",
            "A submitter waited for room in a full pool",
            EventFields.<SubmitWait>begin()
                    .text("thread", "Submitter", "Name of the submitter's thread", SubmitWait::thread)
                    .timespan("waited", "Waited", "How long the submitter waited", SubmitWait::durationNanos)
                    .flag("accepted", "Accepted", "Whether the pool then accepted the task", SubmitWait::accepted),
            row -> new SubmitWait(
                    row.startNanos(), row.length("waited"), row.pool(), row.text("thread"), row.flag("accepted"))),
    /** A {@link Observation.CallerRun}. */
    CALLER_RUN(
            CallerRun.class,
            "CallerRun",
            "Caller Run",
            "A submitter ran its task itself, because the pool was full",
            EventFields.<CallerRun>begin()
                    .text("thread", "Submitter", "Name of the submitter's thread", CallerRun::thread)
                    .timespan("ran", "Ran", "How long the submitter ran the task", CallerRun::durationNanos)
                    .number(
                            "idleWorkers",
                            "Idle Workers",
                            "Mean number of idle workers meanwhile",
                            CallerRun::idleWorkers),
            row -> new CallerRun(
                    row.startNanos(), row.length("ran"), row.pool(), row.text("thread"), row.real("idleWorkers"))),
    /** A {@link Observation.Rejection}. */
    REJECTION(
            Rejection.class,
            "Rejection",
            "Rejection",
            "The pool refused a task",
            EventFields.<Rejection>begin()
                    .text("thread", "Submitter", "Name of the submitter's thread", Rejection::thread)
                    .text("reason", "Reason", "Why the task was refused", Rejection::reason),
            row -> new Rejection(row.startNanos(), row.pool(), row.text("thread"), row.text("reason"))),
    /** A {@link Observation.WorkerSample}. */
    WORKER_SAMPLE(
            WorkerSample.class,
            "WorkerSample",
            "Worker Sample",
            "What one worker did at one moment",
            EventFields.<WorkerSample>begin()
                    .text("thread", "Worker", "Name of the worker's thread", WorkerSample::thread)
                    .text("doing", "Doing", "What the worker did", WorkerSample::doing)
                    .text("place", "Place", "First frame that is the user's own", WorkerSample::place)
                    .text(
                            "awaited",
                            "Waits For",
                            "Lock, pool or resource that the worker waited for",
                            WorkerSample::awaited)
                    .text("holder", "Holder", "Thread that held the lock", WorkerSample::holder),
            row -> new WorkerSample(
                    row.startNanos(),
                    row.pool(),
                    row.text("thread"),
                    doing(row.text("doing")),
                    row.text("place"),
                    row.text("awaited"),
                    row.text("holder"))),
    /** A {@link Observation.PoolLooks}. */
    POOL_LOOKS(
            PoolLooks.class,
            "PoolLooks",
            "Pool Looks",
            "What all workers of a pool did in the time before this event",
            EventFields.<PoolLooks>begin()
                    .timespan(
                            "length",
                            "Length",
                            "How long the window was; it ended with this event",
                            PoolLooks::durationNanos)
                    .timespan(
                            "busy", "Busy", "How long workers ran tasks, summed over all workers", PoolLooks::busyNanos)
                    .timespan("cpuTime", "CPU Time", "CPU time of these tasks", PoolLooks::cpuNanos)
                    .timespan(
                            "callerRuns",
                            "Caller Runs",
                            "How long submitters ran tasks themselves",
                            PoolLooks::callerRunNanos)
                    .timespan(
                            "busyBefore",
                            "Busy Before",
                            "In the first window: how long workers had run tasks before it",
                            PoolLooks::busyBeforeNanos)
                    .timespan(
                            "callerRunsBefore",
                            "Caller Runs Before",
                            "In the first window: how long submitters had run tasks before it",
                            PoolLooks::callerRunsBeforeNanos)
                    .count("stacks", "Stacks", "How many stacks of workers were taken", PoolLooks::stacks)
                    .text("content", "Content", "The looks at all workers, packed", PoolLooks::content),
            row -> new PoolLooks(
                    row.startNanos() - Math.max(0, row.number("length")),
                    Math.max(0, row.number("length")),
                    row.pool(),
                    row.optionalLong("busy"),
                    row.optionalLong("cpuTime"),
                    row.optionalLong("callerRuns"),
                    row.optionalLong("busyBefore"),
                    row.optionalLong("callerRunsBefore"),
                    (int) Math.max(0, row.number("stacks")),
                    row.text("content"))),
    /** A {@link Observation.WorkerStack}. */
    WORKER_STACK(
            WorkerStack.class,
            "WorkerStack",
            "Worker Stack",
            "A stack to which looks at workers refer by number",
            EventFields.<WorkerStack>begin()
                    .total("number", "Number", "Number of the stack", WorkerStack::number)
                    .text(
                            "frames",
                            "Frames",
                            "The stack, top first, one line per frame",
                            stack -> String.join("\n", stack.frames())),
            row -> new WorkerStack(
                    row.startNanos(),
                    row.pool(),
                    row.number("number"),
                    row.text("frames").isEmpty()
                            ? List.of()
                            : row.text("frames").lines().toList())),
    /** A {@link Observation.WindowSummary}. */
    WINDOW(
            WindowSummary.class,
            "Window",
            "Window",
            "The figures of one pool in the time before this event",
            WindowEvent.fields(),
            WindowEvent::read),
    /** A {@link Observation.FindingChange}. */
    FINDING(
            FindingChange.class,
            "Finding",
            "Finding",
            "A finding was raised, has changed, or is over",
            EventFields.<FindingChange>begin()
                    .text("id", "Id", "Which diagnosis", FindingChange::id)
                    .text("change", "Change", "RAISED, UPDATED, RESOLVED or ENDED", FindingChange::change)
                    .text("severity", "Severity", "INFO, WARNING or CRITICAL", FindingChange::severity)
                    .text("summary", "Summary", "The cause with its decisive numbers", FindingChange::summary)
                    .text("advice", "Advice", "What to do", FindingChange::advice)
                    .text(
                            "evidence",
                            "Evidence",
                            "The numbers, one per line, as name = value",
                            change -> EventText.ofEvidence(change.evidence()))
                    .text(
                            "stack",
                            "Stack",
                            "The decisive stack, top first, one line per frame",
                            change -> String.join("\n", change.stack()))
                    .text("holder", "Holder", "Thread that holds the lock", FindingChange::holder)
                    .count(
                            "recommendedSize",
                            "Recommended Size",
                            "Workers that the pool should have",
                            FindingChange::recommendedSize)
                    .count("sizeLow", "Smallest Size", "Smallest size that is as good", FindingChange::sizeLow)
                    .count("sizeHigh", "Largest Size", "Largest size that is as good", FindingChange::sizeHigh)
                    .timespan(
                            "age",
                            "Age",
                            "Time since the finding was first seen",
                            change -> change.startNanos() - change.sinceNanos())
                    .text("why", "Why", "Why it ended", FindingChange::why),
            EventType::readFinding),
    /** A {@link Observation.WindowEvidence}. */
    WINDOW_EVIDENCE(
            WindowEvidence.class,
            "WindowEvidence",
            "Window Evidence",
            "All that the rules were given of one window, so that they can judge it again",
            EventFields.<WindowEvidence>begin()
                    .total("number", "Number", "Number of the window", WindowEvidence::number)
                    .total("base", "Base", "Number of the window that must be read before", WindowEvidence::base)
                    .text(
                            "content",
                            "Content",
                            "The compressed window; empty at the end of the watch",
                            WindowEvidence::content),
            row -> new WindowEvidence(
                    row.startNanos(), row.pool(), row.number("number"), row.optionalLong("base"), row.text("content")));

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

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final Function<EventRow, @Nullable Observation> reader;

    <T extends Observation> EventType(
            Class<T> observation,
            String name,
            String label,
            String description,
            EventFields<T> fields,
            Function<EventRow, @Nullable Observation> reader) {
        this.observation = observation;
        this.eventName = PREFIX + name;
        this.label = label;
        this.description = description;
        this.fields = fields.all();
        this.reader = reader;
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
     * {@return the observation that an event holds; empty when this version does not understand it}
     *
     * @param eventName the event's name, as {@code io.lifeguard.Task}
     * @param row its fields
     */
    public static Optional<Observation> read(String eventName, EventRow row) {
        for (EventType type : values()) {
            if (type.eventName.equals(eventName)) {
                return Optional.ofNullable(type.reader.apply(row));
            }
        }
        return Optional.empty();
    }

    /** {@return the values of the fields of an observation of this type, in their order} */
    public Object[] values(Observation of) {
        Object[] values = new Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).of(of);
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

    /** {@return a short name for people} */
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
