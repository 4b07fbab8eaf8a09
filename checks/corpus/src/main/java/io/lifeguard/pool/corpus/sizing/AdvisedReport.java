package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.workbench.Table;
import java.util.List;
import java.util.TreeSet;

/**
 * Reports what is lost by following the advice that findings give at default settings. Immutable.
 *
 * @param results one for each workload, in order
 */
public record AdvisedReport(List<AdvisedResult> results) {

    private static final double LOST_MOSTLY = 0.05;
    private static final double LOST_AT_MOST = 0.10;

    /** Copies the list. */
    public AdvisedReport {
        results = List.copyOf(results);
    }

    /** The whole report. */
    public String markdown() {
        Table table = new Table(
                "workload",
                "size",
                "looks",
                "found",
                "sizes said",
                "deviation",
                "first said",
                "lost there",
                "last said",
                "lost there",
                "lost before",
                "best size",
                "best, per s",
                "noise");
        for (AdvisedResult result : results) {
            for (int from : starts(result)) {
                int first = result.firstAdvice(from);
                int advice = result.advice(from);
                table.row(
                        result.name(),
                        Integer.toString(from),
                        Integer.toString(result.sizes(from).size()),
                        String.join(", ", result.ids(from)),
                        String.join(
                                ", ",
                                new TreeSet<>(result.sizes(from))
                                        .stream().map(String::valueOf).toList()),
                        percent(result.deviation(from)),
                        first > 0 ? Integer.toString(first) : "",
                        first > 0 ? percent(result.lost(first)) : "",
                        advice > 0 ? Integer.toString(advice) : "",
                        advice > 0 ? percent(result.lost(advice)) : "",
                        percent(result.lost(from)),
                        Integer.toString(result.bestSize()),
                        "%.0f".formatted(result.best()),
                        percent(result.noise()));
            }
        }
        StringBuilder sweeps = new StringBuilder();
        for (AdvisedResult result : results) {
            sweeps.append("- ").append(result.name()).append(":");
            result.compared().forEach((size, throughput) -> sweeps.append(" %d → %.0f".formatted(size, throughput)));
            sweeps.append('\n');
        }
        return "## Advice followed\n\n" + table.markdown() + "\n" + conclusion() + "\n\n" + sweeps;
    }

    /** The sizes that the pool had: the smallest and the largest that were compared, where something was said. */
    private static List<Integer> starts(AdvisedResult result) {
        return List.copyOf(result.said().keySet());
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "" : "%.1f %%".formatted(100 * share);
    }

    /** Sums the report up in one sentence. */
    public String conclusion() {
        List<Double> lost = worst();
        return ("Of %d pools, %d were given a size. Following the worse of the first and the last one lost at most %s in"
                        + " %d, at most %s in %d.")
                .formatted(
                        results.stream()
                                .mapToInt(result -> starts(result).size())
                                .sum(),
                        lost.size(),
                        percent(LOST_MOSTLY),
                        lost.stream().filter(each -> each <= LOST_MOSTLY).count(),
                        percent(LOST_AT_MOST),
                        lost.stream().filter(each -> each <= LOST_AT_MOST).count());
    }

    private List<Double> worst() {
        return results.stream()
                .flatMap(result -> starts(result).stream()
                        .filter(from -> result.advice(from) > 0)
                        .map(from -> Math.max(result.lost(result.firstAdvice(from)), result.lost(result.advice(from)))))
                .toList();
    }

    /** Whether 95 % of the pools lose at most 5 %, and none more than 10 %. */
    public boolean isGood() {
        List<Double> lost = worst();
        return lost.stream().filter(each -> each <= LOST_MOSTLY).count() >= Math.ceil(0.95 * lost.size())
                && lost.stream().allMatch(each -> each <= LOST_AT_MOST);
    }
}
