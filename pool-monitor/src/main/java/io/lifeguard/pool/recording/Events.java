package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Describes the events of all types, each once: its fields, and which part of an observation each of them holds.
 * Stateless.
 *
 * <p>There is no function for each field: linking a hundred of them took a starting JVM 30 ms of CPU time.
 */
final class Events {

    private static final long UNKNOWN = Long.MIN_VALUE;
    private static final OptionalInt NO_INT = OptionalInt.empty();
    private static final OptionalLong NO_LONG = OptionalLong.empty();
    private static final OptionalDouble NO_DOUBLE = OptionalDouble.empty();
    private static final Flow NO_FLOW = new Flow(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    private static final Times NO_TIMES = new Times(UNKNOWN, NO_LONG, NO_LONG);

    private static final List<Observation> BLANKS = List.of(
            new TaskRun(0, 0, "", "", "", NO_LONG, NO_LONG, false),
            new SubmitWait(0, 0, "", "", false),
            new CallerRun(0, 0, "", "", 0),
            new Rejection(0, "", "", ""),
            new WorkerSample(0, "", "", Doing.UNKNOWN, "", "", ""),
            new PoolLooks(0, 0, "", NO_LONG, NO_LONG, NO_LONG, NO_LONG, NO_LONG, 0, ""),
            new WorkerStack(0, "", 0, List.of()),
            new WindowSummary(
                    0,
                    0,
                    "",
                    new Load(0, 0, NO_INT, NO_INT, NO_INT, NO_INT),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    "",
                    new Process(0, NO_DOUBLE, NO_DOUBLE, NO_LONG, NO_LONG),
                    Optional.empty(),
                    ""),
            new FindingChange(
                    0, "", Change.ENDED, "", "", "", 0, "", "", Map.of(), List.of(), "", NO_INT, NO_INT, NO_INT));

    private static final Doing[] DOING = Doing.values();
    private static final String[] SHARES = new String[DOING.length]; // names of fields
    private static final String[] WORDS = new String[DOING.length];

    static {
        for (int i = 0; i < DOING.length; i++) {
            WORDS[i] = DOING[i].name().toLowerCase(Locale.ROOT).replace('_', ' ');
            SHARES[i] = camelCase(WORDS[i]);
        }
    }

    private Events() {}

    /** {@return an observation of that class of which nothing is known} */
    static Observation blank(Class<? extends Observation> type) {
        for (Observation blank : BLANKS) {
            if (blank.getClass() == type) {
                return blank;
            }
        }
        throw new IllegalArgumentException("there is no event for a " + type);
    }

    /**
     * Passes the fields of an observation's event in their order.
     *
     * @return the observation that the fields give back; null when this version does not understand it
     */
    static @Nullable Observation pass(EventFields f, Observation of) {
        String pool = f.text("pool", "Pool", "Name of the pool", of.pool());
        if (of instanceof TaskRun run) {
            String thread = f.text("thread", "Worker", "Name of the worker's thread", run.thread());
            String kind = f.text("kind", "Kind", "Kind of task, mostly the name of its class", run.kind());
            OptionalLong wait = f.timespan(
                    "queueWait", "Queue Wait", "Time from acceptance to the start of the run", run.queueWaitNanos());
            return new TaskRun(
                    f.start(run.startNanos()),
                    f.lasted("serviceTime", "Service Time", "Wall time of the run", run.durationNanos()),
                    pool,
                    thread,
                    kind,
                    wait,
                    f.timespan("cpuTime", "CPU Time", "CPU time that the run used", run.cpuNanos()),
                    f.flag("failed", "Failed", "Whether the task ended with an exception", run.failed()));
        } else if (of instanceof SubmitWait wait) {
            String thread = submitter(f, wait.thread());
            return new SubmitWait(
                    f.start(wait.startNanos()),
                    f.lasted("waited", "Waited", "How long the submitter waited", wait.durationNanos()),
                    pool,
                    thread,
                    f.flag("accepted", "Accepted", "Whether the pool then accepted the task", wait.accepted()));
        } else if (of instanceof CallerRun run) {
            String thread = submitter(f, run.thread());
            return new CallerRun(
                    f.start(run.startNanos()),
                    f.lasted("ran", "Ran", "How long the submitter ran the task", run.durationNanos()),
                    pool,
                    thread,
                    f.number(
                            "idleWorkers", "Idle Workers", "Mean number of idle workers meanwhile", run.idleWorkers()));
        } else if (of instanceof Rejection rejection) {
            return new Rejection(
                    f.start(rejection.startNanos()),
                    pool,
                    submitter(f, rejection.thread()),
                    f.text("reason", "Reason", "Why the task was refused", rejection.reason()));
        } else if (of instanceof WorkerSample sample) {
            return new WorkerSample(
                    f.start(sample.startNanos()),
                    pool,
                    f.text("thread", "Worker", "Name of the worker's thread", sample.thread()),
                    doing(f.text("doing", "Doing", "What the worker did", sample.doing())),
                    f.text("place", "Place", "First frame that is the user's own", sample.place()),
                    f.text(
                            "awaited",
                            "Waits For",
                            "Lock, pool or resource that the worker waited for",
                            sample.awaited()),
                    f.text("holder", "Holder", "Thread that held the lock", sample.holder()));
        } else if (of instanceof PoolLooks looks) {
            return looks(f, pool, looks);
        } else if (of instanceof WorkerStack stack) {
            return new WorkerStack(
                    f.start(stack.startNanos()),
                    pool,
                    f.total("number", "Number", "Number of the stack", stack.number()),
                    lines(f, "frames", "Frames", "The stack, top first, one line per frame", stack.frames()));
        }
        return of instanceof WindowSummary window ? window(f, pool, window) : finding(f, pool, (FindingChange) of);
    }

    private static String submitter(EventFields f, String thread) {
        return f.text("thread", "Submitter", "Name of the submitter's thread", thread);
    }

    private static List<String> lines(EventFields f, String name, String label, String words, List<String> lines) {
        String text = f.text(name, label, words, String.join("\n", lines));
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    private static Doing doing(String name) {
        for (Doing doing : DOING) {
            if (doing.name().equals(name)) {
                return doing;
            }
        }
        return Doing.UNKNOWN;
    }

    private static Observation looks(EventFields f, String pool, PoolLooks of) {
        long end = f.windowEnd(of.endNanos());
        long length = f.timespan("length", "Length", "How long the window was", of.durationNanos());
        return new PoolLooks(
                end - length,
                length,
                pool,
                f.timespan("busy", "Busy", "How long workers ran tasks, summed over all workers", of.busyNanos()),
                f.timespan("cpuTime", "CPU Time", "CPU time of these tasks", of.cpuNanos()),
                f.timespan(
                        "callerRuns", "Caller Runs", "How long submitters ran tasks themselves", of.callerRunNanos()),
                f.timespan(
                        "busyBefore",
                        "Busy Before",
                        "In the first window: how long workers had run tasks before it",
                        of.busyBeforeNanos()),
                f.timespan(
                        "callerRunsBefore",
                        "Caller Runs Before",
                        "In the first window: how long submitters had run tasks before it",
                        of.callerRunsBeforeNanos()),
                f.count("stacks", "Stacks", "How many stacks of workers were taken", of.stacks()),
                f.text("content", "Content", "The looks at all workers, packed", of.content()));
    }

    private static Observation window(EventFields f, String pool, WindowSummary of) {
        long end = f.windowEnd(of.endNanos());
        long length = f.timespan("length", "Length", "How long the window was", of.durationNanos());
        Load load = of.load();
        int size = f.count("size", "Size", "Workers", load.size());
        return new WindowSummary(
                end - length,
                length,
                pool,
                new Load(
                        size,
                        f.count("active", "Active", "Workers that ran a task at the end", load.active()),
                        f.count("coreSize", "Core Size", "Core pool size", load.coreSize()),
                        f.count("maximumSize", "Maximum Size", "Largest number of workers", load.maximumSize()),
                        f.count("queued", "Queued", "Tasks in the queue at the end", load.queued()),
                        f.count("capacity", "Queue Capacity", "Capacity of the queue", load.capacity())),
                flow(f, of.flow().orElse(NO_FLOW)),
                queueWait(f, of.queueWait().orElse(NO_TIMES)),
                serviceTime(f, of.serviceTime().orElse(NO_TIMES)),
                shares(f, of.shares()),
                f.text("bottleneck", "Bottleneck", "What limited the throughput", of.bottleneck()),
                process(f, of.process()),
                curve(f, size, of.curve()),
                f.text(
                        "blind",
                        "Blind",
                        "Why it is unknown which threads are the workers; empty if known",
                        of.blind()));
    }

    private static Optional<Flow> flow(EventFields f, Flow of) {
        Flow flow = new Flow(
                f.total("submitted", "Submitted", "Tasks accepted", of.submitted()),
                f.total("completed", "Completed", "Tasks that workers ran to their end", of.completed()),
                f.total("failed", "Failed", "Tasks that ended with an exception", of.failed()),
                f.total("rejected", "Rejected", "Tasks refused", of.rejected()),
                f.total("callerRuns", "Caller Runs", "Tasks run by their submitters", of.callerRuns()));
        return flow.submitted() == UNKNOWN ? Optional.empty() : Optional.of(flow);
    }

    private static Optional<Times> queueWait(EventFields f, Times of) {
        return known(new Times(
                f.total("begun", "Begun", "Tasks whose queue wait was measured", of.count()),
                f.timespan(
                        "queueWaitMedian",
                        "Queue Wait Median",
                        "Half of the tasks waited at most so long",
                        of.medianNanos()),
                f.timespan(
                        "queueWaitP99",
                        "Queue Wait 99th Percentile",
                        "99 % of the tasks waited at most so long",
                        of.p99Nanos())));
    }

    private static Optional<Times> serviceTime(EventFields f, Times of) {
        return known(new Times(
                f.total("ended", "Ended", "Tasks whose service time was measured", of.count()),
                f.timespan(
                        "serviceTimeMedian",
                        "Service Time Median",
                        "Half of the tasks ran at most so long",
                        of.medianNanos()),
                f.timespan(
                        "serviceTimeP99",
                        "Service Time 99th Percentile",
                        "99 % of the tasks ran at most so long",
                        of.p99Nanos())));
    }

    private static Optional<Times> known(Times times) {
        return times.count() == UNKNOWN ? Optional.empty() : Optional.of(times);
    }

    private static Map<Doing, Double> shares(EventFields f, Map<Doing, Double> of) {
        Map<Doing, Double> shares = new EnumMap<>(Doing.class);
        for (int i = 0; i < DOING.length; i++) {
            double workers = f.number(
                    SHARES[i],
                    "Workers " + WORDS[i],
                    "Mean number of workers: " + WORDS[i],
                    of.getOrDefault(DOING[i], 0.0));
            if (workers > 0) { // false for NaN
                shares.put(DOING[i], workers);
            }
        }
        return shares;
    }

    private static Process process(EventFields f, Process of) {
        return new Process(
                f.number("cores", "Cores", "CPUs that the process may use", of.cores()),
                f.number("cpu", "CPUs Used", "Mean number of CPUs that the process used", of.cpu()),
                f.number(
                        "othersShare",
                        "Share of Others",
                        "Share of the CPUs used by other processes, 0 to 1",
                        of.othersShare()),
                f.timespan("gcTime", "Collections", "Time spent in garbage collection", of.gcNanos()),
                f.timespan(
                        "throttled", "Throttled", "Time for which the quota stopped the process", of.throttledNanos()));
    }

    private static Optional<Curve> curve(EventFields f, int size, Optional<Curve> of) {
        OptionalInt recommended = f.count(
                "recommendedSize",
                "Recommended Size",
                "Workers that are enough",
                of.isPresent() ? of.get().recommendedSize() : NO_INT);
        String points = f.text(
                "curve",
                "Curve",
                "Predictions, one per line: size, tasks per second, low, high, service time in ns",
                of.isPresent() ? EventText.ofCurve(of.get()) : null);
        return EventText.curve(points, size, recommended);
    }

    private static @Nullable Observation finding(EventFields f, String pool, FindingChange of) {
        long start = f.start(of.startNanos());
        String id = f.text("id", "Id", "Which diagnosis", of.id());
        Change change = change(f.text("change", "Change", "RAISED, UPDATED, RESOLVED or ENDED", of.change()));
        FindingChange read = new FindingChange(
                start,
                pool,
                change == null ? of.change() : change,
                f.text("why", "Why", "Why it ended", of.why()),
                id,
                f.text("severity", "Severity", "INFO, WARNING or CRITICAL", of.severity()),
                start - f.timespan("age", "Age", "Time since the finding was first seen", start - of.sinceNanos()),
                f.text("summary", "Summary", "The cause with its decisive numbers", of.summary()),
                f.text("advice", "Advice", "What to do", of.advice()),
                EventText.evidence(f.text(
                        "evidence",
                        "Evidence",
                        "The numbers, one per line, as name = value",
                        EventText.ofEvidence(of.evidence()))),
                lines(f, "stack", "Stack", "The decisive stack, top first, one line per frame", of.stack()),
                f.text("holder", "Holder", "Thread that holds the lock", of.holder()),
                f.count(
                        "recommendedSize",
                        "Recommended Size",
                        "Workers that the pool should have",
                        of.recommendedSize()),
                f.count("sizeLow", "Smallest Size", "Smallest size that is as good", of.sizeLow()),
                f.count("sizeHigh", "Largest Size", "Largest size that is as good", of.sizeHigh()));
        return change == null ? null : read;
    }

    /** {@return the constant of that name; null for one of a later version} */
    private static @Nullable Change change(String name) {
        for (Change change : Change.values()) {
            if (change.name().equals(name)) {
                return change;
            }
        }
        return null;
    }

    private static String camelCase(String words) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < words.length(); i++) {
            char letter = words.charAt(i);
            if (letter != ' ') {
                name.append(i > 0 && words.charAt(i - 1) == ' ' ? Character.toUpperCase(letter) : letter);
            }
        }
        return name.toString();
    }
}
