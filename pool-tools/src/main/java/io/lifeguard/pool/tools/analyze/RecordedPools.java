package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.watch.PoolJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pools that Lifeguard itself has recorded, from the program in which they run. Stateless. */
public final class RecordedPools {

    private static final int WIDEST = 32;

    private RecordedPools() {}

    /** {@return the names of all their workers} */
    static Set<String> workers(List<Observation> recording) {
        Set<String> names = new HashSet<>();
        for (Observation each : recording) {
            if (each instanceof WorkerSample sample) {
                names.add(sample.thread());
            } else if (each instanceof PoolLooks looks) {
                try {
                    WorkerLooks.read(looks.content()).workers().forEach(worker -> names.add(worker.thread()));
                } catch (IllegalArgumentException ignored) {
                    // of a later version
                }
            }
        }
        return names;
    }

    /** {@return a line for each pool, in the order of their names, below a title; empty when there is none} */
    public static List<String> table(String file, List<Observation> recording) {
        Map<String, List<WindowSummary>> byPool = byPool(recording);
        if (byPool.isEmpty()) {
            return List.of();
        }
        Map<String, Double> busy = busy(recording);
        List<String> lines = new ArrayList<>();
        lines.add(file + ": " + Counted.of(byPool.size(), "pool") + ", measured by Lifeguard");
        lines.add(line("", "workers", "busy", "tasks/s", "queue wait", "runs for", "limited by"));
        byPool.forEach((pool, windows) -> lines.add(row(pool, windows, busy.get(pool))));
        byPool.forEach((pool, windows) ->
                blind(windows).ifPresent(why -> lines.add("  not all of '" + pool + "' is known, because " + why)));
        return lines;
    }

    private static Map<String, List<WindowSummary>> byPool(List<Observation> recording) {
        return recording.stream()
                .filter(WindowSummary.class::isInstance)
                .map(WindowSummary.class::cast)
                .collect(Collectors.groupingBy(WindowSummary::pool, TreeMap::new, Collectors.toList()));
    }

    /** {@return the same pools as the parts {@code pool} of the schema, without their findings} */
    static List<Map<String, Object>> json(List<Observation> recording) {
        List<Map<String, Object>> pools = new ArrayList<>();
        byPool(recording).forEach((pool, windows) -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", pool);
            json.put(
                    "kind",
                    windows.stream().anyMatch(window -> window.serviceTime().isPresent()) ? "instrumented" : "watched");
            json.put("judged", true);
            blind(windows).ifPresent(why -> json.put("blind", why));
            json.put("threads", mostWorkers(windows));
            json.put("window", window(windows));
            pools.add(json);
        });
        return pools;
    }

    private static Map<String, Object> window(List<WindowSummary> windows) {
        double nanos = Math.max(
                1, windows.stream().mapToLong(WindowSummary::durationNanos).sum());
        String limit = limit(windows);
        return PoolJson.window(
                nanos / 1e9,
                doing -> {
                    double threads = windows.stream()
                            .mapToDouble(each -> each.shares().getOrDefault(doing, 0.0) * (double) each.durationNanos())
                            .sum();
                    return threads > 0 ? threads / nanos : Double.NaN;
                },
                Stream.of(Bottleneck.values())
                        .filter(known -> known.name().equals(limit))
                        .findFirst()
                        .orElse(Bottleneck.UNKNOWN));
    }

    /** The pool may have ended before the recording, and has none then. */
    private static int mostWorkers(List<WindowSummary> windows) {
        return windows.stream().mapToInt(window -> window.load().size()).max().orElse(0);
    }

    /** What limited the pool in most windows. */
    private static String limit(List<WindowSummary> windows) {
        return windows.stream()
                .collect(Collectors.groupingBy(WindowSummary::bottleneck, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /** Why the pool was not seen entirely in most windows; empty if it was. Single windows may be disturbed. */
    private static Optional<String> blind(List<WindowSummary> windows) {
        List<String> reasons = windows.stream()
                .map(WindowSummary::blind)
                .filter(why -> !why.isEmpty())
                .toList();
        return 2 * reasons.size() > windows.size() ? Optional.of(reasons.get(reasons.size() - 1)) : Optional.empty();
    }

    /** How many workers were busy on average, by the pool's own counters. */
    private static Map<String, Double> busy(List<Observation> recording) {
        Map<String, double[]> sums = new TreeMap<>();
        for (Observation each : recording) {
            if (each instanceof PoolLooks looks && looks.busyNanos().isPresent()) {
                double[] sum = sums.computeIfAbsent(looks.pool(), pool -> new double[2]);
                sum[0] += (double) looks.busyNanos().getAsLong();
                sum[1] += (double) looks.durationNanos();
            }
        }
        Map<String, Double> busy = new TreeMap<>();
        sums.forEach((pool, sum) -> busy.put(pool, sum[1] == 0 ? 0 : sum[0] / sum[1]));
        return busy;
    }

    private static String row(String pool, List<WindowSummary> windows, @Nullable Double busy) {
        double seconds =
                windows.stream().mapToLong(WindowSummary::durationNanos).sum() / 1e9;
        long completed = windows.stream()
                .flatMap(window -> window.flow().stream())
                .mapToLong(flow -> flow.completed())
                .sum();
        boolean counts = windows.stream().anyMatch(window -> window.flow().isPresent());
        return line(
                pool.length() > WIDEST ? pool.substring(0, WIDEST - 3) + "..." : pool,
                String.valueOf(mostWorkers(windows)),
                busy == null ? "?" : String.format(Locale.ROOT, "%.1f", busy),
                counts && seconds > 0 ? String.format(Locale.ROOT, "%.1f", completed / seconds) : "?",
                median(windows, WindowSummary::queueWait),
                median(windows, WindowSummary::serviceTime),
                limit(windows).toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    /** The middle of the windows' medians. */
    private static String median(List<WindowSummary> windows, Function<WindowSummary, Optional<Times>> times) {
        long[] sorted = windows.stream()
                .flatMap(window -> times.apply(window).stream())
                .map(Times::medianNanos)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .sorted()
                .toArray();
        return sorted.length == 0 ? "?" : Units.time(Duration.ofNanos(sorted[sorted.length / 2]));
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, "  %-32s %7s %7s %10s %11s %11s  %s", cells)
                .stripTrailing();
    }
}
