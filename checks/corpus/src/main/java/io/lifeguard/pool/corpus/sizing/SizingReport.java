package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares recommended sizes with the best sizes, and predictions with sweeps. Immutable.
 *
 * @param results the sweeps, in order
 */
public record SizingReport(List<SizingResult> results) {

    /**
     * Limits: the loss in nineteen of twenty workloads, the loss in all, and the largest and the median error of
     * predictions.
     */
    private static final double LOST_MOSTLY = 0.05;

    private static final double LOST_AT_MOST = 0.10;
    private static final double OFF_AT_MOST = 0.10;
    private static final double OFF_IN_THE_MEDIAN = 0.05;

    /** Copies the list. */
    public SizingReport {
        results = List.copyOf(results);
    }

    /** The whole report. */
    public String markdown() {
        return "## Recommended sizes\n\n" + table() + "\n" + conclusion() + "\n\n## Sweeps\n\nTasks per second.\n\n"
                + sweeps();
    }

    private String table() {
        Table table = new Table(
                "workload",
                "right size",
                "noise",
                "window from",
                "recommended",
                "lost",
                "curve off, median",
                "at most",
                "book formula",
                "lost there");
        for (SizingResult result : results) {
            for (Advice advice : result.advices()) {
                List<Double> errors = result.errors(advice);
                table.row(
                        result.workload().name(),
                        Integer.toString(result.right()),
                        percent(result.noise()),
                        Integer.toString(advice.from()),
                        Integer.toString(advice.recommended()),
                        percent(result.lost(advice)),
                        percent(SizingResult.median(errors)),
                        percent(errors.get(errors.size() - 1)),
                        "%.1f".formatted(advice.book()),
                        percent(result.lostAt(advice.book())));
            }
        }
        return table.markdown();
    }

    /** Sums the report up in one sentence. */
    public String conclusion() {
        List<Double> worst = results.stream()
                .filter(result -> !result.advices().isEmpty())
                .map(result -> result.advices().stream()
                        .mapToDouble(result::lost)
                        .max()
                        .orElse(0))
                .toList();
        List<Double> errors = results.stream()
                .flatMap(result -> result.advices().stream().flatMap(advice -> result.errors(advice).stream()))
                .sorted()
                .toList();
        long advices =
                results.stream().mapToLong(result -> result.advices().size()).sum();
        double foreign =
                results.stream().mapToDouble(SizingResult::foreign).max().orElse(0);
        return ("Of %d workloads, from the worst of three windows each: at most %s lost in %d, at most %s in %d."
                        + " Of %d predictions, %d within %s; median %s. Without advice: %d of %d windows."
                        + " Other processes used %.2f CPUs%s.")
                .formatted(
                        results.size(),
                        percent(LOST_MOSTLY),
                        worst.stream().filter(lost -> lost <= LOST_MOSTLY).count(),
                        percent(LOST_AT_MOST),
                        worst.stream().filter(lost -> lost <= LOST_AT_MOST).count(),
                        errors.size(),
                        errors.stream().filter(off -> off <= OFF_AT_MOST).count(),
                        percent(OFF_AT_MOST),
                        percent(SizingResult.median(errors)),
                        3L * results.size() - advices,
                        3 * results.size(),
                        foreign,
                        foreign > SizedPool.MOST_FOREIGN ? ", so a short sweep is not judged" : "");
    }

    /** Whether the advice was good enough. It is not if a sweep has fewer than three advices. */
    public boolean isGood() {
        List<Double> lost = results.stream()
                .map(result -> result.advices().size() < 3
                        ? 1.0
                        : result.advices().stream()
                                .mapToDouble(result::lost)
                                .max()
                                .orElse(1))
                .toList();
        List<Double> errors = results.stream()
                .flatMap(result -> result.advices().stream().flatMap(advice -> result.errors(advice).stream()))
                .sorted()
                .toList();
        long mostly = lost.stream().filter(each -> each <= LOST_MOSTLY).count();
        return mostly >= Math.ceil(0.95 * lost.size())
                && lost.stream().allMatch(each -> each <= LOST_AT_MOST)
                && SizingResult.median(errors) <= OFF_IN_THE_MEDIAN;
    }

    /**
     * Whether the advice is usable at all, which is everything that a short sweep can tell. A sweep of a busy machine
     * tells nothing: what is lost at a size is then what others took.
     */
    public boolean isPlausible() {
        return results.stream()
                .filter(result -> result.foreign() <= SizedPool.MOST_FOREIGN)
                .allMatch(result -> !result.advices().isEmpty()
                        && result.advices().stream().allMatch(advice -> result.lost(advice) <= 2 * LOST_AT_MOST));
    }

    private String sweeps() {
        return results.stream().map(SizingReport::sweep).collect(Collectors.joining("\n"));
    }

    private static String sweep(SizingResult result) {
        List<String> titles = new ArrayList<>(List.of(result.workload().name()));
        List<String> measured = new ArrayList<>(List.of("measured"));
        result.sweep().forEach((size, throughput) -> {
            titles.add(size.toString());
            measured.add("%.0f".formatted(throughput));
        });
        Table table = new Table(titles.toArray(String[]::new));
        table.row(measured.toArray(String[]::new));
        for (Advice advice : result.advices()) {
            List<String> predicted = new ArrayList<>(List.of("predicted from " + advice.from()));
            result.sweep()
                    .keySet()
                    .forEach(size ->
                            predicted.add("%.0f".formatted(advice.curve().getOrDefault(size, Double.NaN))));
            table.row(predicted.toArray(String[]::new));
        }
        return table.markdown();
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "?" : "%.1f %%".formatted(100 * share);
    }
}
