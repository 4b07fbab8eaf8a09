package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.workbench.Table;
import java.util.Optional;

/** The table that compares the pool with the one of an earlier jar. Immutable. */
final class BeforeTable {
    private final Results results;

    BeforeTable(Results results) {
        this.results = results;
    }

    /** The section of the report, or empty if no earlier jar was measured. */
    Optional<String> markdown() {
        Table table = new Table(
                "scenario",
                "before, × " + Rivals.BASELINE,
                "after, × " + Rivals.BASELINE,
                "after, × before",
                "quartiles",
                "rounds");
        boolean any = false;
        for (String scenario : Target.main()) {
            Optional<Summary> ratio = results.ratio(scenario, Rivals.OURS, Rivals.BEFORE, Metric.THROUGHPUT);
            if (ratio.isPresent()) {
                any = true;
                table.row(
                        scenario,
                        againstBaseline(scenario, Rivals.BEFORE),
                        againstBaseline(scenario, Rivals.OURS),
                        Figures.ratio(ratio),
                        Figures.ratioSpread(ratio),
                        Integer.toString(ratio.get().count()));
            }
        }
        return any ? Optional.of("## Before and after\n\n" + table.markdown() + "\n") : Optional.empty();
    }

    private String againstBaseline(String scenario, String rival) {
        return Figures.ratio(results.ratio(scenario, rival, Rivals.BASELINE, Metric.THROUGHPUT));
    }
}
