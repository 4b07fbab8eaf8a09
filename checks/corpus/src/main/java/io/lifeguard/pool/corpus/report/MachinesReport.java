package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.MachineKind;
import io.lifeguard.workbench.Conditions;
import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reports what was found on several machines, with a column for each. Not thread-safe. */
public final class MachinesReport {
    private final Map<String, Map<MachineKind, String>> rows = new LinkedHashMap<>();
    private final Map<MachineKind, String> conclusions = new LinkedHashMap<>();

    /** Adds what was found of a workload. Of several runs, all are told. */
    public void add(String workload, MachineKind machine, String found) {
        rows.computeIfAbsent(workload, name -> new LinkedHashMap<>())
                .merge(machine, found, (earlier, later) -> earlier + "; " + later);
    }

    /** Adds the summary of a machine. Each machine must have one. */
    public void conclude(MachineKind machine, String conclusion) {
        conclusions.put(machine, conclusion);
    }

    /** Tells a run in the short form of a cell. */
    public static String cell(Set<String> missed, Set<String> falseFindings, String found) {
        List<String> parts = new ArrayList<>();
        if (!missed.isEmpty()) {
            parts.add("**missed** " + String.join(", ", missed));
        }
        if (!falseFindings.isEmpty()) {
            parts.add("**false** " + String.join(", ", falseFindings));
        }
        if (!found.isEmpty()) {
            parts.add(found);
        }
        return parts.isEmpty() ? "silent" : String.join(", ", parts);
    }

    /** The whole report. */
    public String markdown() {
        List<MachineKind> machines = List.copyOf(conclusions.keySet());
        List<String> titles = new ArrayList<>(List.of("workload"));
        machines.forEach(machine -> titles.add(machine.label()));
        Table table = new Table(titles.toArray(String[]::new));
        rows.forEach((workload, cells) -> {
            List<String> row = new ArrayList<>(List.of(workload));
            machines.forEach(machine -> row.add(cells.getOrDefault(machine, "not run")));
            table.row(row.toArray(String[]::new));
        });
        StringBuilder text =
                new StringBuilder("## Machines\n\n").append(table.markdown()).append('\n');
        conclusions.forEach((machine, conclusion) -> text.append("- ")
                .append(machine.label())
                .append(": ")
                .append(conclusion)
                .append('\n'));
        if (machines.contains(MachineKind.QUOTA)) {
            text.append("- The quota was made by ")
                    .append(Conditions.wayOfQuota())
                    .append(".\n");
        }
        return text.toString();
    }
}
