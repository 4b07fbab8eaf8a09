package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The types of events in a recording, with their fields. The events of a flight recording and those of the black box
 * are made from this table. Immutable.
 *
 * <p>A reader finds fields by name and ignores what it does not know, so later versions may add fields and types.
 */
public enum EventType {
    /** A {@link Observation.TaskRun}. */
    TASK(
            "Task",
            "Task Run",
            "A task that ran on a worker for longer than the threshold; the duration is its service time",
            List.of(
                    Field.POOL,
                    Field.WORKER,
                    Field.text("kind", "Kind", "Kind of task, mostly the name of its class"),
                    Field.timespan("queueWait", "Queue Wait", "Time from acceptance to the start of the run"),
                    Field.timespan("serviceTime", "Service Time", "Wall time of the run"),
                    Field.timespan("cpuTime", "CPU Time", "CPU time that the run used"),
                    Field.flag("failed", "Failed", "Whether the task ended with an exception"))),
    /** A {@link Observation.SubmitWait}. */
    SUBMIT_WAIT(
            "SubmitWait",
            "Submit Wait",
            "A submitter waited for room in a full pool",
            List.of(
                    Field.POOL,
                    Field.SUBMITTER,
                    Field.timespan("waited", "Waited", "How long the submitter waited"),
                    Field.flag("accepted", "Accepted", "Whether the pool then accepted the task"))),
    /** A {@link Observation.CallerRun}. */
    CALLER_RUN(
            "CallerRun",
            "Caller Run",
            "A submitter ran its task itself, because the pool was full",
            List.of(
                    Field.POOL,
                    Field.SUBMITTER,
                    Field.timespan("ran", "Ran", "How long the submitter ran the task"),
                    Field.number("idleWorkers", "Idle Workers", "Mean number of idle workers meanwhile"))),
    /** A {@link Observation.Rejection}. */
    REJECTION(
            "Rejection",
            "Rejection",
            "The pool refused a task",
            List.of(Field.POOL, Field.SUBMITTER, Field.text("reason", "Reason", "Why the task was refused"))),
    /** A {@link Observation.WorkerSample}. */
    WORKER_SAMPLE(
            "WorkerSample",
            "Worker Sample",
            "What one worker did at one moment",
            List.of(
                    Field.POOL,
                    Field.WORKER,
                    Field.text("doing", "Doing", "What the worker did"),
                    Field.text("place", "Place", "First frame that is the user's own"),
                    Field.text("awaited", "Waits For", "Lock, pool or resource that the worker waited for"),
                    Field.text("holder", "Holder", "Thread that held the lock"))),
    /** A {@link Observation.WindowSummary}. */
    WINDOW("Window", "Window", "The figures of one pool in the time before this event", windowFields()),
    /** A {@link Observation.FindingChange}. */
    FINDING(
            "Finding",
            "Finding",
            "A finding was raised, has changed, or is over",
            List.of(
                    Field.POOL,
                    Field.text("id", "Id", "Which diagnosis"),
                    Field.text("change", "Change", "RAISED, UPDATED, RESOLVED or ENDED"),
                    Field.text("severity", "Severity", "INFO, WARNING or CRITICAL"),
                    Field.text("summary", "Summary", "The cause with its decisive numbers"),
                    Field.text("advice", "Advice", "What to do"),
                    Field.text("evidence", "Evidence", "The numbers, one per line, as name = value"),
                    Field.text("stack", "Stack", "The decisive stack, top first, one line per frame"),
                    Field.text("holder", "Holder", "Thread that holds the lock"),
                    Field.count("recommendedSize", "Recommended Size", "Workers that the pool should have"),
                    Field.count("sizeLow", "Smallest Size", "Smallest size that is as good"),
                    Field.count("sizeHigh", "Largest Size", "Largest size that is as good"),
                    Field.timespan("age", "Age", "Time since the finding was first seen"),
                    Field.text("why", "Why", "Why it ended"))),
    /** A {@link Observation.WindowEvidence}. */
    WINDOW_EVIDENCE(
            "WindowEvidence",
            "Window Evidence",
            "All that the rules were given of one window, so that they can judge it again",
            List.of(
                    Field.POOL,
                    Field.total("number", "Number", "Number of the window"),
                    Field.total("base", "Base", "Number of the window that must be read before"),
                    Field.text("content", "Content", "The compressed window; empty at the end of the watch")));

    /** What the names of all events begin with. */
    public static final String PREFIX = "io.lifeguard.";

    /** The category of all events, which tools show as a folder. */
    public static final String CATEGORY = "Lifeguard";

    private final String eventName;
    private final String label;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
    private final List<Field> fields;

    EventType(String name, String label, String description, List<Field> fields) {
        this.eventName = PREFIX + name;
        this.label = label;
        this.description = description;
        this.fields = fields;
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
    public List<Field> fields() {
        return fields;
    }

    /** {@return the name of the field with the mean number of workers that did this} */
    static String share(Doing doing) {
        StringBuilder name = new StringBuilder();
        boolean beginsWord = false;
        for (char letter : doing.name().toCharArray()) {
            if (letter != '_') {
                name.append(beginsWord ? letter : Character.toLowerCase(letter));
            }
            beginsWord = letter == '_';
        }
        return name.toString();
    }

    private static List<Field> windowFields() {
        List<Field> fields = new ArrayList<>(List.of(
                Field.POOL,
                Field.timespan("length", "Length", "How long the window was; it ended with this event"),
                Field.count("size", "Size", "Workers"),
                Field.count("active", "Active", "Workers that ran a task at the end"),
                Field.count("coreSize", "Core Size", "Core pool size"),
                Field.count("maximumSize", "Maximum Size", "Largest number of workers"),
                Field.count("queued", "Queued", "Tasks in the queue at the end"),
                Field.count("capacity", "Queue Capacity", "Capacity of the queue"),
                Field.total("submitted", "Submitted", "Tasks accepted"),
                Field.total("completed", "Completed", "Tasks that workers ran to their end"),
                Field.total("failed", "Failed", "Tasks that ended with an exception"),
                Field.total("rejected", "Rejected", "Tasks refused"),
                Field.total("callerRuns", "Caller Runs", "Tasks run by their submitters"),
                Field.total("begun", "Begun", "Tasks whose queue wait was measured"),
                Field.timespan("queueWaitMedian", "Queue Wait Median", "Half of the tasks waited at most so long"),
                Field.timespan(
                        "queueWaitP99", "Queue Wait 99th Percentile", "99 % of the tasks waited at most so long"),
                Field.total("ended", "Ended", "Tasks whose service time was measured"),
                Field.timespan("serviceTimeMedian", "Service Time Median", "Half of the tasks ran at most so long"),
                Field.timespan(
                        "serviceTimeP99", "Service Time 99th Percentile", "99 % of the tasks ran at most so long")));
        for (Doing doing : Doing.values()) {
            String words = doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            fields.add(Field.number(share(doing), "Workers " + words, "Mean number of workers: " + words));
        }
        fields.addAll(List.of(
                Field.text("bottleneck", "Bottleneck", "What limited the throughput"),
                Field.number("cores", "Cores", "CPUs that the process may use"),
                Field.number("cpu", "CPUs Used", "Mean number of CPUs that the process used"),
                Field.number("othersShare", "Share of Others", "Share of the CPUs used by other processes, 0 to 1"),
                Field.timespan("gcTime", "Collections", "Time spent in garbage collection"),
                Field.timespan("throttled", "Throttled", "Time for which the quota stopped the process"),
                Field.count("recommendedSize", "Recommended Size", "Workers that are enough"),
                Field.text(
                        "curve",
                        "Curve",
                        "Predictions, one per line: size, tasks per second, low, high, service time in ns")));
        return List.copyOf(fields);
    }

    /**
     * One field of an event. Immutable.
     *
     * @param name in {@code camelCase}
     * @param label a short name for people
     * @param description what it holds
     * @param form how it is stored
     */
    public record Field(String name, String label, String description, Form form) {

        private static final Field POOL = text("pool", "Pool", "Name of the pool");
        private static final Field WORKER = text("thread", "Worker", "Name of the worker's thread");
        private static final Field SUBMITTER = text("thread", "Submitter", "Name of the submitter's thread");

        static Field text(String name, String label, String description) {
            return new Field(name, label, description, Form.TEXT);
        }

        static Field flag(String name, String label, String description) {
            return new Field(name, label, description, Form.FLAG);
        }

        static Field count(String name, String label, String description) {
            return new Field(name, label, description, Form.INT);
        }

        static Field total(String name, String label, String description) {
            return new Field(name, label, description, Form.LONG);
        }

        static Field number(String name, String label, String description) {
            return new Field(name, label, description, Form.DOUBLE);
        }

        static Field timespan(String name, String label, String description) {
            return new Field(name, label, description, Form.TIMESPAN);
        }
    }

    /** How a field is stored, and which value says that it is not known. */
    public enum Form {
        /** A {@code String}; empty when not known. */
        TEXT,
        /** A {@code boolean}. */
        FLAG,
        /** An {@code int}; {@link Integer#MIN_VALUE} when not known. */
        INT,
        /** A {@code long}; {@link Long#MIN_VALUE} when not known. */
        LONG,
        /** A {@code double}; NaN when not known. */
        DOUBLE,
        /** A {@code long} in nanoseconds; {@link Long#MIN_VALUE} when not known. */
        TIMESPAN
    }
}
