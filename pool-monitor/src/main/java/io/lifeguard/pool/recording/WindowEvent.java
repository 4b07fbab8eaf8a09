package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The event that holds a {@link WindowSummary}: its fields, and how they are read. Stateless. */
final class WindowEvent {

    private WindowEvent() {}

    static EventFields<WindowSummary> fields() {
        EventFields<WindowSummary> fields = EventFields.<WindowSummary>begin()
                .timespan(
                        "length",
                        "Length",
                        "How long the window was; it ended with this event",
                        WindowSummary::durationNanos);
        fields.<Load>part(WindowSummary::load)
                .count("size", "Size", "Workers", Load::size)
                .count("active", "Active", "Workers that ran a task at the end", Load::active)
                .count("coreSize", "Core Size", "Core pool size", Load::coreSize)
                .count("maximumSize", "Maximum Size", "Largest number of workers", Load::maximumSize)
                .count("queued", "Queued", "Tasks in the queue at the end", Load::queued)
                .count("capacity", "Queue Capacity", "Capacity of the queue", Load::capacity);
        fields.<Flow>part(WindowSummary::flow)
                .total("submitted", "Submitted", "Tasks accepted", Flow::submitted)
                .total("completed", "Completed", "Tasks that workers ran to their end", Flow::completed)
                .total("failed", "Failed", "Tasks that ended with an exception", Flow::failed)
                .total("rejected", "Rejected", "Tasks refused", Flow::rejected)
                .total("callerRuns", "Caller Runs", "Tasks run by their submitters", Flow::callerRuns);
        times(
                fields.<Times>part(WindowSummary::queueWait)
                        .total("begun", "Begun", "Tasks whose queue wait was measured", Times::count),
                "queueWait",
                "Queue Wait",
                "of the tasks waited at most so long");
        times(
                fields.<Times>part(WindowSummary::serviceTime)
                        .total("ended", "Ended", "Tasks whose service time was measured", Times::count),
                "serviceTime",
                "Service Time",
                "of the tasks ran at most so long");
        EventFields<Map<Doing, Double>> shares = fields.part(WindowSummary::shares);
        for (Doing doing : Doing.values()) {
            String words = doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            String description = "Mean number of workers: " + words;
            shares.number(share(doing), "Workers " + words, description, of -> of.getOrDefault(doing, 0.0));
        }
        fields.text("bottleneck", "Bottleneck", "What limited the throughput", WindowSummary::bottleneck);
        fields.<Process>part(WindowSummary::process)
                .number("cores", "Cores", "CPUs that the process may use", Process::cores)
                .number("cpu", "CPUs Used", "Mean number of CPUs that the process used", Process::cpu)
                .number(
                        "othersShare",
                        "Share of Others",
                        "Share of the CPUs used by other processes, 0 to 1",
                        Process::othersShare)
                .timespan("gcTime", "Collections", "Time spent in garbage collection", Process::gcNanos)
                .timespan(
                        "throttled",
                        "Throttled",
                        "Time for which the quota stopped the process",
                        Process::throttledNanos);
        fields.<Curve>part(WindowSummary::curve)
                .count("recommendedSize", "Recommended Size", "Workers that are enough", Curve::recommendedSize)
                .text(
                        "curve",
                        "Curve",
                        "Predictions, one per line: size, tasks per second, low, high, service time in ns",
                        EventText::ofCurve);
        return fields;
    }

    private static void times(EventFields<Times> of, String name, String label, String rest) {
        of.timespan(name + "Median", label + " Median", "Half " + rest, Times::medianNanos)
                .timespan(name + "P99", label + " 99th Percentile", "99 % " + rest, Times::p99Nanos);
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
                row.startNanos() - length,
                length,
                row.pool(),
                new Load(
                        (int) row.number("size"),
                        (int) row.number("active"),
                        row.optionalInt("coreSize"),
                        row.optionalInt("maximumSize"),
                        (int) row.number("queued"),
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
                EventText.curve(row.text("curve"), (int) row.number("size"), row.optionalInt("recommendedSize")));
    }

    private static Optional<Times> readTimes(EventRow row, String count, String name) {
        return row.known(count)
                .map(tasks -> new Times(tasks, row.optionalLong(name + "Median"), row.optionalLong(name + "P99")));
    }
}
