package io.lifeguard.pool.corpus.real;

import io.lifeguard.pool.corpus.looks.Standing;
import io.lifeguard.workbench.Table;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reports how real systems were judged. Immutable.
 *
 * @param outcomes the last run of each system, in order
 */
record RealReport(List<RealOutcome> outcomes) {

    private static final double RIGHT_AT_LEAST = 0.9;

    RealReport {
        outcomes = List.copyOf(outcomes);
    }

    String markdown() {
        return "## Real systems\n\n" + table() + "\n" + conclusion() + "\n\n## What was said\n\n" + details();
    }

    private String table() {
        Table table = new Table(
                "system",
                "cause",
                "found",
                "place",
                "named",
                "seconds",
                "stands in, %",
                "contradictory looks",
                "sick, per s",
                "cured, per s",
                "gain",
                "cure",
                "also found, wrongly",
                "found when cured");
        for (RealOutcome outcome : outcomes) {
            Set<String> found = outcome.sick().course().found();
            found.retainAll(outcome.system().must());
            table.row(
                    outcome.system().name(),
                    String.join(" or ", new TreeSet<>(outcome.system().must())),
                    found.isEmpty() ? "no" : "yes",
                    outcome.system().place(),
                    outcome.namesPlace() ? "yes" : "no",
                    number(outcome.seconds(), 1),
                    number(outcome.standing(), 100),
                    Long.toString(outcome.contradictory()),
                    "%.0f".formatted(outcome.sick().perSecond()),
                    "%.0f".formatted(outcome.cured().perSecond()),
                    "%.2f".formatted(outcome.gain()),
                    outcome.system().cure(),
                    String.join(", ", outcome.falseFindings()),
                    String.join(", ", outcome.findingsWhenCured()));
        }
        return table.markdown();
    }

    private static String number(OptionalDouble value, double factor) {
        return value.isPresent() ? "%.1f".formatted(factor * value.getAsDouble()) : "";
    }

    /** Sums the report up in one sentence. */
    String conclusion() {
        return ("Of %d systems %d have the right cause and place; %d have a false finding; %d have a finding"
                        + " when cured; %d have contradictory looks.")
                .formatted(
                        outcomes.size(),
                        named(),
                        outcomes.stream()
                                .filter(outcome -> !outcome.falseFindings().isEmpty())
                                .count(),
                        withFindingWhenCured(),
                        outcomes.stream()
                                .filter(outcome -> outcome.contradictory() > 0)
                                .count());
    }

    private long named() {
        return outcomes.stream()
                .filter(outcome -> outcome.seconds().isPresent() && outcome.namesPlace())
                .count();
    }

    private long withFindingWhenCured() {
        return outcomes.stream()
                .filter(outcome -> !outcome.findingsWhenCured().isEmpty())
                .count();
    }

    /**
     * Whether nine tenths have the right cause and place, none has a finding when cured, and none contradicts itself.
     */
    boolean isGood() {
        return named() >= RIGHT_AT_LEAST * outcomes.size()
                && withFindingWhenCured() == 0
                && outcomes.stream().allMatch(outcome -> outcome.contradictory() == 0);
    }

    /** The text of each finding, once per system and id, so that a person can judge the words. */
    private String details() {
        StringBuilder text = new StringBuilder();
        for (RealOutcome outcome : outcomes) {
            append(text, outcome.system().name(), outcome.sick());
            append(text, outcome.system().name() + ", cured", outcome.cured());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String name, RealRun run) {
        Set<String> told = new LinkedHashSet<>();
        for (Standing finding : run.course().all(run.course().found())) {
            if (told.add(finding.id() + finding.pool())) {
                text.append("- *")
                        .append(name)
                        .append("* `")
                        .append(finding.id())
                        .append("` ");
                text.append(finding.pool()).append(": ").append(finding.text()).append('\n');
            }
        }
    }
}
