package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.Outcome;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Compares labels with findings in a table. It has a row for the workloads of each label and a column for each finding;
 * a cell tells how many runs raised the finding. Findings that a label merely allows are in parentheses. False findings
 * are followed by {@code !}. Immutable.
 *
 * @param outcomes the runs
 */
record ConfusionMatrix(List<Outcome> outcomes) {

    private static final String HEALTHY = "(healthy)";

    /** Copies the list, without the workloads that could not be run. */
    ConfusionMatrix {
        outcomes = outcomes.stream().filter(Outcome::wasRun).toList();
    }

    String markdown() {
        List<String> titles = new ArrayList<>(List.of("", "label", "runs"));
        for (int i = 0; i < Workloads.IDS.size(); i++) {
            titles.add(number(i));
        }
        Table table = new Table(titles.toArray(String[]::new));
        for (int i = 0; i < Workloads.IDS.size(); i++) {
            String id = Workloads.IDS.get(i);
            table.row(row(number(i), id, outcome -> outcome.workload().must().contains(id)));
        }
        table.row(row("", HEALTHY, outcome -> !outcome.workload().isSick()));
        return table.markdown();
    }

    private String[] row(String number, String label, Predicate<Outcome> belongs) {
        List<Outcome> mine = outcomes.stream().filter(belongs).toList();
        List<String> cells = new ArrayList<>(List.of(number, label, Integer.toString(mine.size())));
        for (String id : Workloads.IDS) {
            cells.add(cell(mine, label, id));
        }
        return cells.toArray(String[]::new);
    }

    private static String cell(List<Outcome> mine, String label, String id) {
        long found = count(mine, outcome -> outcome.found().contains(id));
        long wrong = count(mine, outcome -> outcome.falseFindings().contains(id));
        if (found == 0) {
            return label.equals(id) && !mine.isEmpty() ? "0" : "";
        } else if (label.equals(id)) {
            return Long.toString(found);
        }
        return wrong > 0 ? wrong + "!" : "(" + found + ")";
    }

    private static long count(List<Outcome> outcomes, Predicate<Outcome> which) {
        return outcomes.stream().filter(which).count();
    }

    private static String number(int index) {
        return Integer.toString(index + 1);
    }
}
