package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.LongOutcome;
import io.lifeguard.workbench.Table;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * Reports how steadily sick workloads are named over a minute and longer. Immutable.
 *
 * @param outcomes the runs, in order
 * @param circumstances what the JVMs were like, as in "warm JVMs"
 */
public record LongReport(List<LongOutcome> outcomes, String circumstances) {

    private static final double MEDIAN_SECONDS = 4;
    private static final double SLOW_SECONDS = 6;
    private static final double SLOW_SECONDS_ON_A_BUSY_MACHINE = 8;

    /** Copies the list. */
    public LongReport {
        outcomes = List.copyOf(outcomes);
    }

    /** The whole report. */
    public String markdown() {
        return "## Minutes, " + circumstances + "\n\n" + table() + "\n" + conclusion() + "\n";
    }

    private String table() {
        Table table = new Table(
                "workload",
                "must be found",
                "seconds",
                "stands in, %",
                "contradictory looks",
                "sizes",
                "ends after, s",
                "false",
                "wrong");
        for (LongOutcome outcome : outcomes) {
            table.row(
                    outcome.workload().name(),
                    String.join(", ", new TreeSet<>(outcome.workload().must())),
                    outcome.workload().isSick() ? number(outcome.secondsToAll()) : "",
                    outcome.secondsToAll().isPresent() ? "%.1f".formatted(100 * outcome.standing()) : "",
                    Long.toString(outcome.contradictory()),
                    outcome.sizes(),
                    outcome.mustEnd() ? number(outcome.secondsToEnd()) : "–",
                    String.join(", ", outcome.falseFindings()),
                    outcome.wrong().orElse(""));
        }
        return table.markdown();
    }

    private static String number(OptionalDouble seconds) {
        return seconds.isPresent() ? "%.1f".formatted(seconds.getAsDouble()) : "never";
    }

    /** Sums the report up. A finding that never came counts as infinitely late. */
    public String conclusion() {
        List<Double> times = times();
        return ("%d of %d runs are right. Time to a finding in %d runs: median %s, 95th percentile %s (rules"
                        + " that wait by definition not counted).")
                .formatted(
                        outcomes.size() - wrongRuns(),
                        outcomes.size(),
                        times.size(),
                        seconds(percentile(times, 0.5)),
                        seconds(percentile(times, 0.95)));
    }

    private List<Double> times() {
        return outcomes.stream()
                .filter(LongOutcome::isTimed)
                .map(outcome -> outcome.secondsToAll().orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toList();
    }

    private static String seconds(double time) {
        return Double.isInfinite(time) ? "never" : "%.1f s".formatted(time);
    }

    /** The nearest rank; 0 of no values. */
    static double percentile(List<Double> sorted, double share) {
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.max(0, Math.ceil(share * sorted.size()) - 1));
    }

    /** The number of runs with something wrong. */
    public long wrongRuns() {
        return outcomes.stream().filter(outcome -> outcome.wrong().isPresent()).count();
    }

    /** Whether all runs are right, and findings come soon enough. */
    public boolean isGood() {
        return wrongRuns() == 0
                && percentile(times(), 0.5) <= MEDIAN_SECONDS
                && percentile(times(), 0.95) <= SLOW_SECONDS;
    }

    /** Whether all runs are right, and each finding comes soon enough for a machine that others use too. */
    public boolean isGoodOnBusyMachine() {
        return wrongRuns() == 0 && percentile(times(), 1) <= SLOW_SECONDS_ON_A_BUSY_MACHINE;
    }
}
