package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Throughput and service time of one pool over its size. Stateless.
 *
 * <p>A curve predicts what CPUs, a lock, and the world outside let through. So it is drawn only where one of them was
 * decided to be the bottleneck, from windows with that decision, and with the throughput that was measured at the
 * present size on it. Otherwise no curve is drawn.
 */
final class CurveColumns {

    /** What a curve knows of; a window's column has the index. */
    private static final List<String> KNOWN =
            List.of(Bottleneck.CPU.name(), Bottleneck.LOCK.name(), Bottleneck.OUTSIDE.name());

    private static final List<String> UNDECIDED = List.of(Bottleneck.NONE.name(), Bottleneck.UNKNOWN.name());

    /** Within 15 % a curve and what was measured look alike. */
    private static final double NEAR = 0.15;

    private static final double SECOND = 1e9;

    private CurveColumns() {}

    /** {@return a number for what limited the pool in a window; not a number where nothing did, or it is unknown} */
    static double limit(WindowSummary window) {
        if (UNDECIDED.contains(window.bottleneck())) {
            return Double.NaN;
        }
        int index = KNOWN.indexOf(window.bottleneck());
        return index < 0 ? KNOWN.size() : index;
    }

    /**
     * Adds the curve, and the number of the bottleneck that was decided last. Without a curve {@code noCurve} says why:
     * what limits the pool, or the present size, what the curve says of it, and what was measured.
     */
    static void put(Map<String, Object> pool, List<WindowSummary> windows) {
        List<WindowSummary> decided = windows.stream()
                .filter(window -> !UNDECIDED.contains(window.bottleneck()))
                .toList();
        pool.put("curve", null);
        if (decided.isEmpty()) {
            pool.put("limit", null);
            return;
        }
        WindowSummary last = decided.get(decided.size() - 1);
        pool.put("limit", limit(last));
        if (!KNOWN.contains(last.bottleneck())) {
            pool.put("noCurve", last.bottleneck());
            return;
        }
        List<WindowSummary> limited = decided.stream()
                .filter(window -> window.bottleneck().equals(last.bottleneck()))
                .toList();
        Optional<Curve> curve = latest(limited);
        Map<Integer, Double> measured = measured(limited);
        if (curve.isEmpty() || !measured.containsKey(curve.get().size())) {
            return;
        }
        List<Number> contradiction = contradiction(curve.get(), measured);
        if (contradiction.isEmpty()) {
            pool.put("curve", columns(curve.get(), limit(last), measured));
        } else {
            pool.put("noCurve", contradiction);
        }
    }

    /** The latest curve that recommends a size; without such a one the latest. */
    private static Optional<Curve> latest(List<WindowSummary> windows) {
        List<Curve> curves =
                windows.stream().flatMap(window -> window.curve().stream()).toList();
        return curves.stream()
                .filter(each -> each.recommendedSize().isPresent())
                .reduce((a, b) -> b)
                .or(() -> curves.stream().reduce((a, b) -> b));
    }

    /** The median throughput of the windows that ended saturated, for each size. A curve is about saturated pools. */
    private static Map<Integer, Double> measured(List<WindowSummary> windows) {
        Map<Integer, List<Double>> bySize = windows.stream()
                .filter(window -> window.flow().isPresent() && window.durationNanos() > 0)
                .filter(window -> window.load().active() >= window.load().size()
                        && window.load().queued().orElse(0) > 0
                        && window.load().size() > 0)
                .collect(Collectors.groupingBy(
                        window -> window.load().size(),
                        TreeMap::new,
                        Collectors.mapping(CurveColumns::rate, Collectors.toList())));
        Map<Integer, Double> measured = new LinkedHashMap<>();
        bySize.forEach((size, rates) -> measured.put(
                size, rates.stream().sorted().skip(rates.size() / 2).findFirst().orElseThrow()));
        return measured;
    }

    private static double rate(WindowSummary window) {
        return window.flow().orElseThrow().completed() * SECOND / window.durationNanos();
    }

    /** The present size, what the curve says of it, and what was measured, if they differ; otherwise empty. */
    private static List<Number> contradiction(Curve curve, Map<Integer, Double> measured) {
        double rate = measured.getOrDefault(curve.size(), Double.NaN);
        for (Point each : curve.points()) {
            if (each.size() == curve.size() && Math.abs(rate - each.throughput()) > NEAR * each.throughput()) {
                return List.of(curve.size(), each.throughput(), rate);
            }
        }
        return List.of();
    }

    private static Map<String, Object> columns(Curve curve, double limit, Map<Integer, Double> measured) {
        List<Point> points = curve.points();
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("limit", limit);
        columns.put("current", curve.size());
        columns.put(
                "recommended",
                curve.recommendedSize().isPresent() ? curve.recommendedSize().getAsInt() : null);
        columns.put("size", points.stream().map(Point::size).toList());
        columns.put("throughput", points.stream().mapToDouble(Point::throughput).toArray());
        columns.put("low", points.stream().mapToDouble(Point::low).toArray());
        columns.put("high", points.stream().mapToDouble(Point::high).toArray());
        columns.put(
                "service",
                points.stream()
                        .mapToDouble(point -> point.serviceNanos() / SECOND)
                        .toArray());
        columns.put(
                "measured",
                measured.entrySet().stream()
                        .map(entry -> List.<Number>of(entry.getKey(), entry.getValue()))
                        .toList());
        return columns;
    }
}
