package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Beside;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A target for Lifeguard's pool in one scenario. Immutable.
 *
 * @param what the row's title
 * @param against the rival to which the ratio is taken, or empty when the value itself counts
 * @param bound for the median
 * @param gross what even a short run on a busy machine must reach, or NaN when such a run says nothing
 */
public record Target(
        String what, String scenario, Metric metric, Optional<String> against, double bound, double gross) {
    private static final double GROSSLY_SLOW = 0.7;
    private static final double GROSSLY_LATE = 1.6;
    private static final double AS_FAST = 0.97;
    /** Single short forks of the same jar differed by a fifth on a busy machine. */
    private static final double GROSSLY_SLOWER_THAN_BEFORE = 0.7;

    /** A fork of a second beside others gets some hundred milliseconds of CPU, and the compilers take part of it. */
    private static final double GROSSLY_SLOW_BESIDE = 0.5;

    /** The rows in which a pool is compared with its predecessor. */
    private static final List<String> MAIN = List.of(
            "bounded-empty",
            "bounded-1us",
            "bounded-10us",
            "workers16-1us",
            "unbounded-empty",
            "unbounded-1us",
            "unbounded-10us",
            "first-bounded-empty",
            "first-bounded-1us",
            "first-bounded-10us",
            "first-workers16-1us",
            "first-unbounded-1us",
            "first-unbounded-10us");

    private static final List<Target> ALONE = List.of(
            speed("bounded, 1 µs", "bounded-1us", Rivals.BASELINE, 1.45),
            speed("bounded, 10 µs", "bounded-10us", Rivals.BASELINE, 1.3),
            speed("bounded, empty", "bounded-empty", Rivals.BASELINE, 1.2),
            speed("bounded, 100 µs", "bounded-100us", Rivals.BASELINE, 0.99),
            speed("unbounded, empty", "unbounded-empty", Rivals.BASELINE, 1.0),
            speed("unbounded, 1 µs", "unbounded-1us", Rivals.BASELINE, 1.15),
            speed("unbounded, 10 µs", "unbounded-10us", Rivals.BASELINE, 1.0),
            speed("unbounded, 100 µs", "unbounded-100us", Rivals.BASELINE, 1.0),
            speed("16 workers, 1 µs", "workers16-1us", Rivals.BASELINE, 1.5),
            speed("first seconds, bounded, empty", "first-bounded-empty", Rivals.BASELINE, 1.0),
            speed("first seconds, bounded, 1 µs", "first-bounded-1us", Rivals.BASELINE, 1.45),
            speed("first seconds, bounded, 10 µs", "first-bounded-10us", Rivals.BASELINE, 1.3),
            speed("first seconds, 16 workers, 1 µs", "first-workers16-1us", Rivals.BASELINE, 1.5),
            speed("first seconds, unbounded, 1 µs", "first-unbounded-1us", Rivals.BASELINE, 1.0),
            speed("first seconds, unbounded, 10 µs", "first-unbounded-10us", Rivals.BASELINE, 1.0),
            delay("burst makespan p50", "burst", Metric.MAKESPAN_P50, 1.05),
            delay("wake-up p50", "wake-up", Metric.WAKE_UP_P50, 1.05),
            delay("wake-up p99", "wake-up", Metric.WAKE_UP_P99, 1.1),
            speed("bounded, 1 µs", "bounded-1us", Rivals.MICROMETER, 1.5),
            speed("bounded, 1 µs", "bounded-1us", Rivals.DROPWIZARD, 2),
            speed("bounded, 1 µs", "bounded-1us", Rivals.NAIVE, 4),
            atMost("allocation, bounded", "bounded-1us", Metric.ALLOCATION, 0, 8),
            atMost("allocation, unbounded", "unbounded-1us", Metric.ALLOCATION, 24, 48),
            atMost("memory per worker", "memory", Metric.MEMORY_PER_WORKER, 16, 32),
            atMost("memory per pool", "memory", Metric.MEMORY_PER_POOL, 64, 128),
            atMost("CPU error, backlog", "cpu-backlog", Metric.CPU_ERROR, 2, Double.NaN),
            atMost("CPU error, mixed", "cpu-mixed", Metric.CPU_ERROR, 2, Double.NaN),
            atMost("CPU error, sparse", "cpu-sparse", Metric.CPU_ERROR, 2, Double.NaN),
            atMost("tasks + idle, backlog", "cpu-backlog", Metric.CPU_TOTAL_ERROR, 2, Double.NaN),
            atMost("tasks + idle, mixed", "cpu-mixed", Metric.CPU_TOTAL_ERROR, 2, Double.NaN),
            atMost("tasks + idle, sparse", "cpu-sparse", Metric.CPU_TOTAL_ERROR, 2, Double.NaN));

    /** Each comparison with the predecessor, and each latency and error on a busy machine. */
    private static final List<Target> IN_TABLE = Stream.of(
                    ALONE.stream(), beforeAndAfter(), latencyBeside(), accuracyBeside())
            .flatMap(targets -> targets)
            .toList();

    /** The cells of the table of busy machines, which shows for itself what is reached. */
    private static final List<Target> BESIDE = Scenarios.all().stream()
            .filter(Beside.class::isInstance)
            .map(Target::beside)
            .toList();

    private static Stream<Target> beforeAndAfter() {
        return MAIN.stream()
                .map(row -> new Target(
                        row, row, Metric.THROUGHPUT, Optional.of(Rivals.BEFORE), AS_FAST, GROSSLY_SLOWER_THAN_BEFORE));
    }

    private static Stream<Target> latencyBeside() {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.isIn("beside-latency"))
                .flatMap(scenario -> scenario.metrics().stream()
                        .map(metric -> new Target(
                                scenario.name() + " " + metric.title(),
                                scenario.name(),
                                metric,
                                Optional.of(Rivals.BASELINE),
                                1.1,
                                Double.NaN)));
    }

    private static Stream<Target> accuracyBeside() {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.isIn("beside-accuracy"))
                .flatMap(scenario -> scenario.metrics().stream()
                        .filter(metric -> metric != Metric.CPU_SHARE)
                        .map(metric -> atMost(
                                scenario.name() + " " + metric.title(), scenario.name(), metric, 1, Double.NaN)));
    }

    /** The scenarios in which a pool is compared with its predecessor. */
    static List<String> main() {
        return MAIN;
    }

    static List<Target> inTable() {
        return IN_TABLE;
    }

    static List<Target> all() {
        return Stream.concat(IN_TABLE.stream(), BESIDE.stream()).toList();
    }

    private static Target speed(String what, String scenario, String against, double bound) {
        return new Target(what, scenario, Metric.THROUGHPUT, Optional.of(against), bound, GROSSLY_SLOW);
    }

    /** Empty tasks are not judged: neighbouring forks did 0.1 to 2 times the plain pool's. */
    private static Target beside(Scenario cell) {
        double gross = cell.name().contains("empty") ? Double.NaN : GROSSLY_SLOW_BESIDE;
        return new Target(cell.description(), cell.name(), Metric.THROUGHPUT, Optional.of(Rivals.BASELINE), 1.0, gross);
    }

    private static Target delay(String what, String scenario, Metric metric, double bound) {
        return new Target(what, scenario, metric, Optional.of(Rivals.BASELINE), bound, GROSSLY_LATE);
    }

    private static Target atMost(String what, String scenario, Metric metric, double bound, double gross) {
        return new Target(what, scenario, metric, Optional.empty(), bound, gross);
    }

    /** The ratio or the value of Lifeguard's pool, if both sides were measured. */
    Optional<Summary> reached(Results results) {
        return against.isPresent()
                ? results.ratio(scenario, Rivals.OURS, against.get(), metric)
                : results.summary(scenario, Rivals.OURS, metric);
    }

    /**
     * The same without disturbed forks, if the metric is a time. Other load on the machine disturbs times, but not
     * bytes.
     */
    Optional<Summary> reachedUndisturbed(Results results) {
        return reached(against.isPresent() ? results.undisturbed() : results);
    }

    boolean isMetBy(Summary reached) {
        return isWithin(reached.median(), bound);
    }

    boolean isGrosslyMissedBy(Summary reached) {
        return !Double.isNaN(gross) && !isWithin(reached.median(), gross);
    }

    /** Rounds as the table does, because the harness itself allocates 0.003 B per task. */
    private boolean isWithin(double value, double limit) {
        double rounded = Math.round(value * 100) / 100.0;
        if (metric == Metric.ALLOCATION) {
            return value < limit + 0.5;
        }
        return metric.moreIsBetter() ? rounded >= limit : Math.abs(rounded) <= limit;
    }

    String boundText() {
        String sign = metric.moreIsBetter() ? "≥ " : "≤ ";
        return sign + (against.isPresent() ? Figures.ratio(bound) : Figures.plain(bound) + " " + metric.unit());
    }

    String text(Summary reached) {
        return against.isPresent()
                ? Figures.ratio(reached.median())
                : Figures.plain(reached.median()) + " " + metric.unit();
    }

    String spreadText(Summary reached) {
        return against.isPresent()
                ? Figures.ratioSpread(Optional.of(reached))
                : Figures.plain(reached.lower()) + "–" + Figures.plain(reached.upper());
    }
}
