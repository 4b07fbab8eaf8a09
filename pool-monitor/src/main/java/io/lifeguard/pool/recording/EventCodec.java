package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowEvidence;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Turns observations into the values of an event's fields, and back. Stateless. */
public final class EventCodec {

    private static final int UNKNOWN_INT = Integer.MIN_VALUE;
    private static final long UNKNOWN_LONG = Long.MIN_VALUE;

    private EventCodec() {}

    /**
     * The fields of one event that is read. A field that the event does not have is not known: the methods then return
     * the {@linkplain EventType.Form value that says so}, and {@code false} for a flag.
     */
    public interface Row {

        /** {@return when the event began, in nanoseconds since 1970} */
        long startNanos();

        /** {@return how long it lasted in nanoseconds; 0 for a moment} */
        long durationNanos();

        /** {@return a text} */
        String text(String field);

        /** {@return a flag} */
        boolean flag(String field);

        /** {@return an {@code int}, a {@code long} or a length in nanoseconds} */
        long number(String field);

        /** {@return a {@code double}} */
        double real(String field);
    }

    /** {@return the type of the event that holds an observation} */
    public static EventType typeOf(Observation observation) {
        if (observation instanceof TaskRun) {
            return EventType.TASK;
        } else if (observation instanceof SubmitWait) {
            return EventType.SUBMIT_WAIT;
        } else if (observation instanceof CallerRun) {
            return EventType.CALLER_RUN;
        } else if (observation instanceof Rejection) {
            return EventType.REJECTION;
        } else if (observation instanceof WorkerSample) {
            return EventType.WORKER_SAMPLE;
        } else if (observation instanceof WindowSummary) {
            return EventType.WINDOW;
        } else if (observation instanceof WindowEvidence) {
            return EventType.WINDOW_EVIDENCE;
        }
        return EventType.FINDING;
    }

    /** {@return whether events of a type have a duration of their own; others are written when they end} */
    public static boolean hasDuration(EventType type) {
        return type == EventType.TASK || type == EventType.SUBMIT_WAIT || type == EventType.CALLER_RUN;
    }

    /** {@return the values of the fields of an observation's type, in their order} */
    public static Object[] values(Observation observation) {
        if (observation instanceof TaskRun task) {
            return new Object[] {
                task.pool(),
                task.thread(),
                task.kind(),
                task.queueWaitNanos().orElse(UNKNOWN_LONG),
                task.durationNanos(),
                task.cpuNanos().orElse(UNKNOWN_LONG),
                task.failed()
            };
        } else if (observation instanceof SubmitWait wait) {
            return new Object[] {wait.pool(), wait.thread(), wait.durationNanos(), wait.accepted()};
        } else if (observation instanceof CallerRun run) {
            return new Object[] {run.pool(), run.thread(), run.durationNanos(), run.idleWorkers()};
        } else if (observation instanceof Rejection rejection) {
            return new Object[] {rejection.pool(), rejection.thread(), rejection.reason()};
        } else if (observation instanceof WorkerSample sample) {
            return new Object[] {
                sample.pool(), sample.thread(), sample.doing().name(), sample.place(), sample.awaited(), sample.holder()
            };
        } else if (observation instanceof WindowSummary window) {
            return window(window);
        } else if (observation instanceof WindowEvidence evidence) {
            return new Object[] {
                evidence.pool(), evidence.number(), evidence.base().orElse(UNKNOWN_LONG), evidence.content()
            };
        }
        return finding((FindingChange) observation);
    }

    private static Object[] window(WindowSummary window) {
        List<Object> values = new ArrayList<>();
        Load load = window.load();
        values.add(window.pool());
        values.add(window.durationNanos());
        values.add(load.size());
        values.add(load.active());
        values.add(load.coreSize().orElse(UNKNOWN_INT));
        values.add(load.maximumSize().orElse(UNKNOWN_INT));
        values.add(load.queued());
        values.add(load.capacity().orElse(UNKNOWN_INT));
        Flow none = new Flow(UNKNOWN_LONG, UNKNOWN_LONG, UNKNOWN_LONG, UNKNOWN_LONG, UNKNOWN_LONG);
        Flow flow = window.flow().orElse(none);
        values.addAll(List.of(flow.submitted(), flow.completed(), flow.failed(), flow.rejected(), flow.callerRuns()));
        addTimes(values, window.queueWait());
        addTimes(values, window.serviceTime());
        for (Doing doing : Doing.values()) {
            values.add(window.shares().getOrDefault(doing, 0.0));
        }
        Process process = window.process();
        values.add(window.bottleneck());
        values.add(process.cores());
        values.add(process.cpu().orElse(Double.NaN));
        values.add(process.othersShare().orElse(Double.NaN));
        values.add(process.gcNanos().orElse(UNKNOWN_LONG));
        values.add(process.throttledNanos().orElse(UNKNOWN_LONG));
        values.add(window.curve()
                .map(curve -> curve.recommendedSize().orElse(UNKNOWN_INT))
                .orElse(UNKNOWN_INT));
        values.add(window.curve().map(EventCodec::lines).orElse(""));
        return values.toArray();
    }

    private static void addTimes(List<Object> values, Optional<Times> times) {
        values.add(times.map(Times::count).orElse(UNKNOWN_LONG));
        values.add(times.map(known -> known.medianNanos().orElse(UNKNOWN_LONG)).orElse(UNKNOWN_LONG));
        values.add(times.map(known -> known.p99Nanos().orElse(UNKNOWN_LONG)).orElse(UNKNOWN_LONG));
    }

    private static Object[] finding(FindingChange change) {
        return new Object[] {
            change.pool(),
            change.id(),
            change.change().name(),
            change.severity(),
            change.summary(),
            change.advice(),
            lines(change.evidence()),
            String.join("\n", change.stack()),
            change.holder(),
            change.recommendedSize().orElse(UNKNOWN_INT),
            change.sizeLow().orElse(UNKNOWN_INT),
            change.sizeHigh().orElse(UNKNOWN_INT),
            change.startNanos() - change.sinceNanos(),
            change.why()
        };
    }

    /**
     * {@return the observation that an event holds; empty when this version does not understand it}
     *
     * @param eventName the event's name, as {@code io.lifeguard.Task}
     * @param row its fields
     */
    public static Optional<Observation> read(String eventName, Row row) {
        for (EventType type : EventType.values()) {
            if (type.eventName().equals(eventName)) {
                return read(type, row);
            }
        }
        return Optional.empty();
    }

    private static Optional<Observation> read(EventType type, Row row) {
        String pool = row.text("pool");
        String thread = row.text("thread");
        return switch (type) {
            case TASK ->
                Optional.of(new TaskRun(
                        row.startNanos(),
                        length(row, "serviceTime"),
                        pool,
                        thread,
                        row.text("kind"),
                        optionalLong(row, "queueWait"),
                        optionalLong(row, "cpuTime"),
                        row.flag("failed")));
            case SUBMIT_WAIT ->
                Optional.of(
                        new SubmitWait(row.startNanos(), length(row, "waited"), pool, thread, row.flag("accepted")));
            case CALLER_RUN ->
                Optional.of(new CallerRun(row.startNanos(), length(row, "ran"), pool, thread, row.real("idleWorkers")));
            case REJECTION -> Optional.of(new Rejection(row.startNanos(), pool, thread, row.text("reason")));
            case WORKER_SAMPLE ->
                Optional.of(new WorkerSample(
                        row.startNanos(),
                        pool,
                        thread,
                        doing(row.text("doing")),
                        row.text("place"),
                        row.text("awaited"),
                        row.text("holder")));
            case WINDOW -> Optional.of(readWindow(row, pool));
            case FINDING -> readFinding(row, pool);
            case WINDOW_EVIDENCE ->
                Optional.of(new WindowEvidence(
                        row.startNanos(), pool, row.number("number"), optionalLong(row, "base"), row.text("content")));
        };
    }

    private static long length(Row row, String field) {
        long nanos = row.number(field);
        return nanos == UNKNOWN_LONG ? row.durationNanos() : nanos;
    }

    private static Observation readWindow(Row row, String pool) {
        long length = Math.max(0, row.number("length"));
        long submitted = row.number("submitted");
        Map<Doing, Double> shares = new EnumMap<>(Doing.class);
        for (Doing doing : Doing.values()) {
            double workers = row.real(EventType.share(doing));
            if (workers > 0) { // false for NaN
                shares.put(doing, workers);
            }
        }
        return new WindowSummary(
                row.startNanos() - length,
                length,
                pool,
                new Load(
                        (int) row.number("size"),
                        (int) row.number("active"),
                        optionalInt(row, "coreSize"),
                        optionalInt(row, "maximumSize"),
                        (int) row.number("queued"),
                        optionalInt(row, "capacity")),
                submitted == UNKNOWN_LONG
                        ? Optional.empty()
                        : Optional.of(new Flow(
                                submitted,
                                row.number("completed"),
                                row.number("failed"),
                                row.number("rejected"),
                                row.number("callerRuns"))),
                times(row, "begun", "queueWait"),
                times(row, "ended", "serviceTime"),
                shares,
                row.text("bottleneck"),
                new Process(
                        row.real("cores"),
                        optionalDouble(row, "cpu"),
                        optionalDouble(row, "othersShare"),
                        optionalLong(row, "gcTime"),
                        optionalLong(row, "throttled")),
                curve(row));
    }

    private static Optional<Times> times(Row row, String count, String name) {
        long tasks = row.number(count);
        return tasks == UNKNOWN_LONG
                ? Optional.empty()
                : Optional.of(new Times(tasks, optionalLong(row, name + "Median"), optionalLong(row, name + "P99")));
    }

    private static Optional<Observation> readFinding(Row row, String pool) {
        Change change;
        try {
            change = Change.valueOf(row.text("change"));
        } catch (IllegalArgumentException ignored) { // of a later version
            return Optional.empty();
        }
        String stack = row.text("stack");
        return Optional.of(new FindingChange(
                row.startNanos(),
                pool,
                change,
                row.text("why"),
                row.text("id"),
                row.text("severity"),
                row.startNanos() - Math.max(0, row.number("age")),
                row.text("summary"),
                row.text("advice"),
                evidence(row.text("evidence")),
                stack.isEmpty() ? List.of() : stack.lines().toList(),
                row.text("holder"),
                optionalInt(row, "recommendedSize"),
                optionalInt(row, "sizeLow"),
                optionalInt(row, "sizeHigh")));
    }

    private static Doing doing(String name) {
        for (Doing doing : Doing.values()) {
            if (doing.name().equals(name)) {
                return doing;
            }
        }
        return Doing.UNKNOWN;
    }

    private static OptionalInt optionalInt(Row row, String field) {
        long value = row.number(field);
        return value < 0 ? OptionalInt.empty() : OptionalInt.of((int) value);
    }

    private static OptionalLong optionalLong(Row row, String field) {
        long value = row.number(field);
        return value == UNKNOWN_LONG ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static OptionalDouble optionalDouble(Row row, String field) {
        double value = row.real(field);
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    // ---- parts that are lists ----

    private static final String SEPARATOR = " = ";

    /** Escapes line breaks, so that one line holds one entry whatever users' names contain. */
    private static String lines(Map<String, String> evidence) {
        StringBuilder lines = new StringBuilder();
        evidence.forEach((name, value) -> lines.append(name)
                .append(SEPARATOR)
                .append(value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"))
                .append('\n'));
        return lines.toString();
    }

    private static Map<String, String> evidence(String lines) {
        Map<String, String> evidence = new LinkedHashMap<>();
        for (String line : lines.split("\n", -1)) {
            int at = line.indexOf(SEPARATOR);
            if (at > 0) {
                evidence.put(line.substring(0, at), unescaped(line.substring(at + SEPARATOR.length())));
            }
        }
        return evidence;
    }

    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                out.append(next == 'n' ? '\n' : next == 'r' ? '\r' : next);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String lines(Curve curve) {
        StringBuilder lines = new StringBuilder();
        for (Point point : curve.points()) {
            lines.append(point.size())
                    .append(' ')
                    .append((float) point.throughput())
                    .append(' ')
                    .append((float) point.low())
                    .append(' ')
                    .append((float) point.high())
                    .append(' ')
                    .append(point.serviceNanos())
                    .append('\n');
        }
        return lines.toString();
    }

    private static Optional<Curve> curve(Row row) {
        List<Point> points = new ArrayList<>();
        for (String line : row.text("curve").lines().toList()) {
            String[] parts = line.split(" ", -1);
            if (parts.length < 5) {
                continue;
            }
            try {
                points.add(new Point(
                        Integer.parseInt(parts[0]),
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2]),
                        Double.parseDouble(parts[3]),
                        Long.parseLong(parts[4])));
            } catch (NumberFormatException ignored) {
                return Optional.empty(); // written by something else
            }
        }
        return points.isEmpty()
                ? Optional.empty()
                : Optional.of(new Curve((int) row.number("size"), optionalInt(row, "recommendedSize"), points));
    }
}
