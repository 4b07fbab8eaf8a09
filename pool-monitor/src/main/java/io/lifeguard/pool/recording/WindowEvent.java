package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The event that holds a {@link WindowSummary}: its fields, their values, and how they are read. Stateless. */
final class WindowEvent {

    private static final Doing[] DOING = Doing.values();

    private WindowEvent() {}

    static EventFields fields() {
        EventFields fields = new EventFields()
                .timespan("length", "Length", "How long the window was")
                .count("size", "Size", "Workers")
                .count("active", "Active", "Workers that ran a task at the end")
                .count("coreSize", "Core Size", "Core pool size")
                .count("maximumSize", "Maximum Size", "Largest number of workers")
                .count("queued", "Queued", "Tasks in the queue at the end")
                .count("capacity", "Queue Capacity", "Capacity of the queue")
                .total("submitted", "Submitted", "Tasks accepted")
                .total("completed", "Completed", "Tasks that workers ran to their end")
                .total("failed", "Failed", "Tasks that ended with an exception")
                .total("rejected", "Rejected", "Tasks refused")
                .total("callerRuns", "Caller Runs", "Tasks run by their submitters")
                .total("begun", "Begun", "Tasks whose queue wait was measured");
        times(fields, "queueWait", "Queue Wait", "of the tasks waited at most so long");
        fields.total("ended", "Ended", "Tasks whose service time was measured");
        times(fields, "serviceTime", "Service Time", "of the tasks ran at most so long");
        for (Doing doing : DOING) {
            String words = doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            fields.number(share(doing), "Workers " + words, "Mean number of workers: " + words);
        }
        return fields.text("bottleneck", "Bottleneck", "What limited the throughput")
                .number("cores", "Cores", "CPUs that the process may use")
                .number("cpu", "CPUs Used", "Mean number of CPUs that the process used")
                .number("othersShare", "Share of Others", "Share of the CPUs used by other processes, 0 to 1")
                .timespan("gcTime", "Collections", "Time spent in garbage collection")
                .timespan("throttled", "Throttled", "Time for which the quota stopped the process")
                .count("recommendedSize", "Recommended Size", "Workers that are enough")
                .text(
                        "curve",
                        "Curve",
                        "Predictions, one per line: size, tasks per second, low, high, service time in ns")
                .text("blind", "Blind", "Why it is unknown which threads are the workers; empty if known")
                .timespan(EventFields.LATE, "Late", EventFields.LATE_MEANS);
    }

    private static void times(EventFields fields, String name, String label, String rest) {
        fields.timespan(name + "Median", label + " Median", "Half " + rest)
                .timespan(name + "P99", label + " 99th Percentile", "99 % " + rest);
    }

    /** The values of these fields, in their order. */
    static @Nullable Object[] values(WindowSummary window, long lateNanos) {
        List<@Nullable Object> values = new ArrayList<>();
        Load load = window.load();
        add(values, window.pool(), window.durationNanos(), load.size(), load.active());
        add(values, load.coreSize(), load.maximumSize(), load.queued(), load.capacity());
        Flow flow = window.flow().orElse(null);
        if (flow == null) {
            add(values, null, null, null, null, null);
        } else {
            add(values, flow.submitted(), flow.completed(), flow.failed(), flow.rejected(), flow.callerRuns());
        }
        addTimes(values, window.queueWait());
        addTimes(values, window.serviceTime());
        for (Doing doing : DOING) {
            values.add(window.shares().getOrDefault(doing, 0.0));
        }
        Process process = window.process();
        add(values, window.bottleneck(), process.cores(), process.cpu(), process.othersShare());
        add(values, process.gcNanos(), process.throttledNanos());
        Curve curve = window.curve().orElse(null);
        if (curve == null) {
            add(values, null, null);
        } else {
            add(values, curve.recommendedSize(), EventText.ofCurve(curve));
        }
        add(values, window.blind(), lateNanos);
        return values.toArray();
    }

    private static void addTimes(List<@Nullable Object> values, Optional<Times> known) {
        Times times = known.orElse(null);
        if (times == null) {
            add(values, null, null, null);
        } else {
            add(values, times.count(), times.medianNanos(), times.p99Nanos());
        }
    }

    private static void add(List<@Nullable Object> values, @Nullable Object... more) {
        Collections.addAll(values, more);
    }

    /** The name of the field with the mean number of workers that did this. */
    private static String share(Doing doing) {
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

    static Observation read(EventRow row) {
        long length = Math.max(0, row.number("length"));
        Map<Doing, Double> shares = new EnumMap<>(Doing.class);
        for (Doing doing : Doing.values()) {
            double workers = row.real(share(doing));
            if (workers > 0) { // false for NaN
                shares.put(doing, workers);
            }
        }
        return new WindowSummary(
                row.windowEndNanos() - length,
                length,
                row.pool(),
                new Load(
                        (int) row.number("size"),
                        (int) row.number("active"),
                        row.optionalInt("coreSize"),
                        row.optionalInt("maximumSize"),
                        row.optionalInt("queued"),
                        row.optionalInt("capacity")),
                row.known("submitted")
                        .map(submitted -> new Flow(
                                submitted,
                                row.number("completed"),
                                row.number("failed"),
                                row.number("rejected"),
                                row.number("callerRuns"))),
                readTimes(row, "begun", "queueWait"),
                readTimes(row, "ended", "serviceTime"),
                shares,
                row.text("bottleneck"),
                new Process(
                        row.real("cores"),
                        row.optionalDouble("cpu"),
                        row.optionalDouble("othersShare"),
                        row.optionalLong("gcTime"),
                        row.optionalLong("throttled")),
                EventText.curve(row.text("curve"), (int) row.number("size"), row.optionalInt("recommendedSize")),
                row.text("blind"));
    }

    private static Optional<Times> readTimes(EventRow row, String count, String name) {
        return row.known(count)
                .map(tasks -> new Times(tasks, row.optionalLong(name + "Median"), row.optionalLong(name + "P99")));
    }
}
