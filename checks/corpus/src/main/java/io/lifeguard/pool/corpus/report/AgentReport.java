package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.AgentOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reports what an agent was told of sick workloads, in how many calls and bytes. Immutable.
 *
 * @param outcomes the runs, in order
 */
public record AgentReport(List<AgentOutcome> outcomes) {

    private static final int MOST_SECONDS = 10;
    private static final int MOST_BYTES = 6 * 1024;

    /** Copies the list. */
    public AgentReport {
        outcomes = List.copyOf(outcomes);
    }

    /** Whether most causes were told. */
    public boolean isGood() {
        List<AgentOutcome> run = run();
        return 2 * run.stream().filter(each -> each.finding().isPresent()).count() >= run.size();
    }

    private List<AgentOutcome> run() {
        return outcomes.stream().filter(each -> each.notRun().isEmpty()).toList();
    }

    /** The whole report. */
    public String markdown() {
        StringBuilder text = new StringBuilder("""
                | program | told | line | size | gain | unknown | calls | bytes | seconds | bytes of a thread dump |
                |---|---|---|---|---|---:|---:|---:|---:|---:|
                """);
        outcomes.forEach(each -> text.append(row(each)));
        List<AgentOutcome> run = run();
        long told = run.stream().filter(each -> each.finding().isPresent()).count();
        long placed =
                run.stream().filter(each -> each.isPlaceRight().orElse(false)).count();
        long toPlace =
                run.stream().filter(each -> each.isPlaceRight().isPresent()).count();
        long within = run.stream()
                .filter(each ->
                        each.finding().isPresent() && each.seconds() <= MOST_SECONDS && each.bytes() <= MOST_BYTES)
                .count();
        return text.append(String.format(
                        Locale.ROOT,
                        "%nCause told: %d of %d. Line or name that the label gives: %d of %d. Told within two calls, %d s"
                                + " and %,d bytes: %d. Median: %,d bytes, and %,d of a thread dump.%n",
                        told,
                        run.size(),
                        placed,
                        toPlace,
                        MOST_SECONDS,
                        MOST_BYTES,
                        within,
                        median(run.stream().map(AgentOutcome::bytes).sorted().toList()),
                        median(run.stream()
                                .map(AgentOutcome::dumpBytes)
                                .sorted()
                                .toList())))
                .toString();
    }

    private static int median(List<Integer> sorted) {
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }

    private static String row(AgentOutcome outcome) {
        String name = outcome.workload().name();
        if (!outcome.notRun().isEmpty()) {
            return "| " + name + " | not run: " + outcome.notRun() + " | | | | | | | | |\n";
        }
        Map<?, ?> finding = outcome.finding().orElse(Map.of());
        String told = outcome.finding().isPresent()
                ? finding.get("id") + ", " + finding.get("certainty")
                : "**missed** (" + outcome.verdict()
                        + (outcome.found().isEmpty() ? "" : ": " + String.join(", ", outcome.found())) + ")";
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %d | %d | %,d | %.1f | %,d |%n",
                name,
                told,
                outcome.isPlaceRight().map(right -> right ? "right" : "missing").orElse("none to tell"),
                size(finding),
                finding.containsKey("gain") ? "x " + finding.get("gain") : "-",
                outcome.unknowns(),
                outcome.calls(),
                outcome.bytes(),
                outcome.seconds(),
                outcome.dumpBytes());
    }

    private static String size(Map<?, ?> finding) {
        if (finding.containsKey("sizeLow")) {
            return finding.get("sizeLow") + " to " + finding.get("sizeHigh");
        }
        return finding.containsKey("recommendedSize") ? String.valueOf(finding.get("recommendedSize")) : "-";
    }
}
