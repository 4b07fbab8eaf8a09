package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Beside;
import io.lifeguard.pool.benchmarks.scenarios.Metric;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results as Markdown. Immutable. */
public final class Report {
    private final Results results;
    private final Map<String, String> facts;

    /**
     * Creates a report.
     *
     * @param facts facts about the machine and the run, in the order of printing
     */
    public Report(Results results, Map<String, String> facts) {
        this.results = results;
        this.facts = facts;
    }

    /** The whole report, for a file. */
    public String markdown() {
        StringBuilder text = new StringBuilder("# Benchmark results\n\n");
        facts.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append(("- forks: %d kept, %d discarded because others used more than %.0f %% of the CPU, %d kept in"
                        + " spite of it%n")
                .formatted(
                        results.all().size(),
                        results.discarded(),
                        100 * Tournament.FOREIGN_LIMIT,
                        results.disturbed()));
        text.append("""

            Figures are medians over forks, one per round. Ratios are taken within each round and the median of those is
            quoted, so they need not equal the quotient of two medians. Spread: quartiles (extremes).

            """);
        targets().ifPresent(table -> text.append("## Targets\n\n").append(table).append('\n'));
        new BeforeTable(results).markdown().ifPresent(text::append);
        new BesideTable(results).markdown().ifPresent(text::append);
        for (Scenario scenario : scenariosWithTables()) {
            table(scenario)
                    .ifPresent(table -> text.append("## %s%n%n%s.%n%n%s%n"
                            .formatted(scenario.name(), capitalised(scenario.description()), table)));
        }
        return text.append("## Rivals\n\n").append(rivals()).toString();
    }

    private static List<Scenario> scenariosWithTables() {
        return Scenarios.all().stream()
                .filter(scenario -> !(scenario instanceof Beside))
                .toList();
    }

    /** The targets that could be judged, or empty when Lifeguard's pool was not measured. */
    public Optional<String> targets() {
        Table table = new Table("target", "against", "bound", "reached", "quartiles", "forks", "");
        boolean any = false;
        for (Target target : Target.inTable()) {
            Optional<Summary> reached = target.reached(results);
            if (reached.isPresent()) {
                any = true;
                table.row(
                        target.what(),
                        target.against().orElse(""),
                        target.boundText(),
                        target.text(reached.get()),
                        target.spreadText(reached.get()),
                        Integer.toString(reached.get().count()),
                        target.isMetBy(reached.get()) ? "met" : "MISSED");
            }
        }
        return any ? Optional.of(table.markdown()) : Optional.empty();
    }

    /** The targets that were missed by far according to undisturbed forks, one line each. */
    public List<String> grossRegressions() {
        List<String> lines = new ArrayList<>();
        for (Target target : Target.all()) {
            target.reachedUndisturbed(results)
                    .filter(target::isGrosslyMissedBy)
                    .ifPresent(reached -> lines.add("%s%s: %s, should be %s"
                            .formatted(
                                    target.what(),
                                    target.against()
                                            .map(rival -> " against " + rival)
                                            .orElse(""),
                                    target.text(reached),
                                    target.boundText())));
        }
        return lines;
    }

    /** The targets that cannot be judged, because one side was never measured undisturbed. */
    public List<String> unjudged() {
        return Target.all().stream()
                .filter(target -> target.reached(results).isPresent()
                        && target.reachedUndisturbed(results).isEmpty())
                .map(Target::what)
                .distinct()
                .toList();
    }

    /** The table of one scenario, with a row per rival. */
    Optional<String> table(Scenario scenario) {
        List<Metric> metrics = scenario.metrics();
        Metric headline = metrics.get(0);
        boolean baselineRan = results.has(scenario.name(), Rivals.BASELINE);
        List<String> titles = new ArrayList<>(List.of("rival", headline.title() + ", " + headline.unit(), "spread"));
        if (baselineRan) {
            titles.addAll(List.of("× " + Rivals.BASELINE, "quartiles"));
        }
        for (Metric metric : metrics.subList(1, metrics.size())) {
            titles.add(metric.title() + ", " + metric.unit());
            if (baselineRan && isDelay(metric)) {
                titles.add("× " + Rivals.BASELINE);
            }
        }
        Table table = new Table(titles.toArray(String[]::new));
        boolean any = false;
        for (Rival rival : Rivals.all()) {
            if (results.has(scenario.name(), rival.name())) {
                any = true;
                table.row(
                        row(scenario.name(), rival.name(), metrics, baselineRan).toArray(String[]::new));
            }
        }
        return any ? Optional.of(table.markdown()) : Optional.empty();
    }

    private List<String> row(String scenario, String rival, List<Metric> metrics, boolean baselineRan) {
        Optional<Summary> headline = results.summary(scenario, rival, metrics.get(0));
        List<String> row = new ArrayList<>(List.of(rival, Figures.median(headline), Figures.spread(headline)));
        if (baselineRan) {
            Optional<Summary> ratio = results.ratio(scenario, rival, Rivals.BASELINE, metrics.get(0));
            row.addAll(List.of(Figures.ratio(ratio), Figures.ratioSpread(ratio)));
        }
        for (Metric metric : metrics.subList(1, metrics.size())) {
            row.add(Figures.median(results.summary(scenario, rival, metric)));
            if (baselineRan && isDelay(metric)) {
                row.add(Figures.ratio(results.ratio(scenario, rival, Rivals.BASELINE, metric)));
            }
        }
        return row;
    }

    private String rivals() {
        Table table = new Table("rival", "what it is", "when the queue is full");
        for (Rival rival : Rivals.all()) {
            if (results.all().stream().anyMatch(result -> result.rival().equals(rival.name()))) {
                table.row(rival.name(), rival.description(), rival.waiting());
            }
        }
        return table.markdown();
    }

    private static boolean isDelay(Metric metric) {
        return metric == Metric.MAKESPAN_P99 || metric == Metric.WAKE_UP_P99 || metric == Metric.BLOCKED_P99;
    }

    private static String capitalised(String sentence) {
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
