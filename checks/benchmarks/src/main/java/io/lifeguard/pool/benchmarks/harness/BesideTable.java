package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Beside;
import io.lifeguard.pool.benchmarks.scenarios.Beside.Load;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Neighbours;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of busy machines: a row per load, a column per kind of neighbours. Immutable. */
final class BesideTable {
    private static final double GOAL = 1.0;

    private final Results results;
    private final Map<Beside, Summary> ratios;

    BesideTable(Results results) {
        this.results = results;
        this.ratios = Scenarios.all().stream()
                .filter(Beside.class::isInstance)
                .map(Beside.class::cast)
                .filter(cell -> ratio(cell).isPresent())
                .collect(Collectors.toMap(cell -> cell, cell -> ratio(cell).orElseThrow()));
    }

    private Optional<Summary> ratio(Beside cell) {
        return results.ratio(cell.name(), Rivals.OURS, Rivals.BASELINE, Metric.THROUGHPUT);
    }

    /** The section of the report, or empty if no cell was measured. */
    Optional<String> markdown() {
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder("## beside\n\n");
        long reached = ratios.values().stream().filter(BesideTable::isReached).count();
        text.append("Throughput of %s as a ratio to %s: median, quartiles, forks. %d of %d cells reach %s.%n%n"
                .formatted(Rivals.OURS, Rivals.BASELINE, reached, ratios.size(), Figures.ratio(GOAL)));
        Set<Neighbours> columns = new LinkedHashSet<>();
        Scenarios.all().stream().filter(ratios::containsKey).forEach(cell -> columns.add(cell.neighbours()));
        columns.forEach(each -> text.append("- %s: %s%n".formatted(each.name(), each.description())));
        text.append('\n');
        for (boolean first : List.of(true, false)) {
            table(first, List.copyOf(columns))
                    .ifPresent(table -> text.append("%s:%n%n%s%n"
                            .formatted(first ? "In a JVM one second old" : "From the third second on", table)));
        }
        return Optional.of(text.toString());
    }

    private Optional<String> table(boolean first, List<Neighbours> columns) {
        List<String> titles = new ArrayList<>(List.of("load"));
        columns.forEach(each -> titles.add(each.name()));
        Table table = new Table(titles.toArray(String[]::new));
        boolean any = false;
        for (Load load : Beside.loads()) {
            List<Optional<Summary>> row = columns.stream()
                    .map(each -> Optional.ofNullable(ratios.get(new Beside(each, load, first))))
                    .toList();
            if (row.stream().anyMatch(Optional::isPresent)) {
                any = true;
                List<String> cells = new ArrayList<>(List.of(load.description()));
                row.forEach(each -> cells.add(each.map(BesideTable::text).orElse(Figures.NONE)));
                table.row(cells.toArray(String[]::new));
            }
        }
        return any ? Optional.of(table.markdown()) : Optional.empty();
    }

    private static boolean isReached(Summary ratio) {
        return Math.round(ratio.median() * 100) >= 100 * GOAL;
    }

    private static String text(Summary ratio) {
        String median = isReached(ratio) ? Figures.ratio(ratio.median()) : "**" + Figures.ratio(ratio.median()) + "**";
        return ratio.count() == 1
                ? median
                : "%s (%s, %d)".formatted(median, Figures.ratioSpread(Optional.of(ratio)), ratio.count());
    }
}
