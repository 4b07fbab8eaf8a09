package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.Outcome;
import io.lifeguard.pool.corpus.run.Sighting;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.Table;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reports how well findings and labels agree. Immutable.
 *
 * @param outcomes the runs, in order
 */
public record DiagnosisReport(List<Outcome> outcomes) {

    private static final double NAMED_UNDER_FOREIGN_LOAD = 0.8;

    /** Copies the list. */
    public DiagnosisReport {
        outcomes = List.copyOf(outcomes);
    }

    /** The whole report. */
    public String markdown() {
        return "## Label against finding\n\n"
                + new ConfusionMatrix(outcomes).markdown()
                + "\nFound, of all runs of the label; `( )` true as well; `!` false. " + conclusion() + "\n\n"
                + "## Windows to detection\n\n"
                + detection()
                + "\n## Workload by workload\n\n"
                + table()
                + details();
    }

    /** Whether no workload was judged wrongly in two runs. */
    public boolean isGood() {
        return wrongTimes().values().stream().allMatch(times -> times < 2);
    }

    /** Whether nothing false was found, and most of the sick workloads were named. */
    public boolean isGoodUnderForeignLoad() {
        return outcomes.stream().allMatch(outcome -> outcome.falseFindings().isEmpty())
                && named(outcomes) >= NAMED_UNDER_FOREIGN_LOAD * sick(outcomes).size();
    }

    /** How often each workload was judged wrongly: a required finding was missing or late, or another was raised. */
    private Map<String, Long> wrongTimes() {
        return outcomes.stream()
                .filter(outcome -> !outcome.isRight())
                .collect(Collectors.groupingBy(
                        outcome -> outcome.workload().name(), TreeMap::new, Collectors.counting()));
    }

    private static List<Outcome> sick(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.wasRun() && outcome.workload().isSick())
                .toList();
    }

    private static long named(List<Outcome> outcomes) {
        return sick(outcomes).stream()
                .filter(outcome -> outcome.missed().isEmpty())
                .count();
    }

    /** Sums the report up in one sentence. */
    public String conclusion() {
        List<Outcome> run = outcomes.stream().filter(Outcome::wasRun).toList();
        List<Outcome> sick = sick(outcomes);
        long named = named(outcomes);
        long falseOnHealthy = run.stream()
                .filter(outcome ->
                        !outcome.workload().isSick() && !outcome.falseFindings().isEmpty())
                .count();
        long falseOnSick = sick.stream()
                .filter(outcome -> !outcome.falseFindings().isEmpty())
                .count();
        return ("%d of %d runs of sick workloads named within %d windows; false findings in %d of %d healthy"
                                + " runs and %d sick ones.")
                        .formatted(
                                named,
                                sick.size(),
                                Outcome.WINDOWS_TO_DETECTION,
                                falseOnHealthy,
                                run.size() - sick.size(),
                                falseOnSick)
                + wrong()
                + notRun();
    }

    private String wrong() {
        Map<String, Long> wrong = wrongTimes();
        return wrong.isEmpty()
                ? ""
                : " Judged wrongly, and how often: "
                        + wrong.entrySet().stream()
                                .map(entry -> entry.getKey() + " " + entry.getValue())
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    private String notRun() {
        List<Outcome> not =
                outcomes.stream().filter(outcome -> !outcome.wasRun()).toList();
        return not.isEmpty()
                ? ""
                : " Not run: "
                        + not.stream()
                                .map(outcome -> outcome.workload().name() + " (" + outcome.notRun() + ")")
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    private String detection() {
        Table table = new Table("finding", "runs", "named", "fastest", "median", "slowest");
        for (String id : Workloads.IDS) {
            List<Outcome> mine = outcomes.stream()
                    .filter(outcome ->
                            outcome.wasRun() && outcome.workload().must().contains(id))
                    .toList();
            List<Integer> windows = mine.stream()
                    .flatMap(outcome -> outcome.windowsTo(id).stream())
                    .sorted()
                    .toList();
            table.row(
                    id,
                    Integer.toString(mine.size()),
                    Integer.toString(windows.size()),
                    windows.isEmpty() ? "" : windows.get(0).toString(),
                    windows.isEmpty() ? "" : windows.get(windows.size() / 2).toString(),
                    windows.isEmpty() ? "" : windows.get(windows.size() - 1).toString());
        }
        return table.markdown();
    }

    private String table() {
        Table table = new Table("workload", "must be found", "found, in window", "missed", "false");
        for (Outcome outcome : outcomes) {
            String label = outcome.workload().isSick()
                    ? String.join(", ", new TreeSet<>(outcome.workload().must()))
                    : "(healthy: " + outcome.workload().near() + ")";
            table.row(
                    outcome.workload().name(),
                    label,
                    outcome.wasRun() ? found(outcome) : "not run",
                    String.join(", ", outcome.missed()),
                    String.join(", ", outcome.falseFindings()));
        }
        return table.markdown();
    }

    /** Each id that was found, and in which window. */
    public static String found(Outcome outcome) {
        return outcome.found().stream()
                .map(id -> id + " " + outcome.windowsTo(id).orElseThrow())
                .collect(Collectors.joining(", "));
    }

    /** The text of each finding, once per workload and id, so that a person can judge the words. */
    private String details() {
        StringBuilder text = new StringBuilder("\n## What was said\n\n");
        Set<String> told = new LinkedHashSet<>();
        for (Outcome outcome : outcomes) {
            for (Sighting sighting : outcome.sightings()) {
                if (told.add(outcome.workload().name() + sighting.id())) {
                    text.append("- *").append(outcome.workload().name()).append("* `");
                    text.append(sighting.id())
                            .append("` ")
                            .append(sighting.text())
                            .append('\n');
                }
            }
        }
        return text.toString();
    }
}
