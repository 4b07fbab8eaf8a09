package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.OutsideOutcome;
import io.lifeguard.pool.corpus.run.OutsideOutcome.Verdict;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reports what {@code lifeguard watch} said of workloads on the JDK's pools. Immutable.
 *
 * <p>A kind is the id of a finding. It is told right if most of the workloads with that label were named in time.
 *
 * @param outcomes the runs, in order
 */
public record OutsideReport(List<OutsideOutcome> outcomes) {

    /** Of the kinds, on any Java. */
    private static final int FEWEST_RIGHT = 9;

    /**
     * Argus' {@code pool advise} recommends 1.5 × the 99th percentile of the number of live threads, and at least 4
     * (its class {@code PoolAdviseHandler}).
     */
    private static final double ARGUS = 1.5;

    private static final long ARGUS_LEAST = 4;

    /** Copies the list. */
    public OutsideReport {
        outcomes = List.copyOf(outcomes);
    }

    /** Whether enough kinds were told right, as far as they were played, and no healthy workload had a finding. */
    public boolean isGood() {
        long played = Workloads.IDS.stream().filter(id -> !of(id).isEmpty()).count();
        return right() >= Math.min(FEWEST_RIGHT, (played + 1) / 2) && falseOnHealthy() == 0;
    }

    /** The whole report. */
    public String markdown() {
        return "## Kind by kind\n\n" + kinds() + "\n" + conclusion() + "\n\n## Workload by workload\n\n" + table()
                + details();
    }

    private long right() {
        return Workloads.IDS.stream().filter(this::isRight).count();
    }

    private boolean isRight(String id) {
        List<OutsideOutcome> mine = of(id);
        return !mine.isEmpty() && 2 * named(mine) >= mine.size();
    }

    private static long named(List<OutsideOutcome> some) {
        return some.stream().filter(OutsideOutcome::isNamed).count();
    }

    private List<OutsideOutcome> of(String id) {
        return outcomes.stream()
                .filter(outcome -> outcome.wasRun() && outcome.workload().must().contains(id))
                .toList();
    }

    private long falseOnHealthy() {
        return healthy().stream()
                .filter(outcome -> !outcome.falseFindings().isEmpty())
                .count();
    }

    private List<OutsideOutcome> healthy() {
        return outcomes.stream()
                .filter(outcome -> outcome.wasRun() && !outcome.workload().isSick())
                .toList();
    }

    /** Sums the report up. */
    public String conclusion() {
        List<OutsideOutcome> sick = outcomes.stream()
                .filter(outcome -> outcome.wasRun() && outcome.workload().isSick())
                .toList();
        long kinds = Workloads.IDS.stream().filter(id -> !of(id).isEmpty()).count();
        long falseOnSick = sick.stream()
                .filter(outcome -> !outcome.falseFindings().isEmpty())
                .count();
        return ("%d of %d kinds told right. %d of %d runs of sick workloads named within %.0f s."
                        + " False findings in %d of %d healthy runs and %d sick ones.%s")
                .formatted(
                        right(),
                        kinds,
                        named(sick),
                        sick.size(),
                        OutsideOutcome.SECONDS_TO_VERDICT,
                        falseOnHealthy(),
                        healthy().size(),
                        falseOnSick,
                        notRun());
    }

    private String notRun() {
        String names = outcomes.stream()
                .filter(outcome -> !outcome.wasRun())
                .map(outcome -> outcome.workload().name() + " (" + outcome.notRun() + ")")
                .distinct()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " Not run: " + names + ".";
    }

    private String kinds() {
        Table table = new Table("kind", "told right", "runs", "named in time", "place right", "first verdict, s");
        for (String id : Workloads.IDS) {
            List<OutsideOutcome> mine = of(id);
            if (!mine.isEmpty()) {
                List<Boolean> places = mine.stream()
                        .filter(outcome -> outcome.right().isPresent())
                        .flatMap(outcome -> outcome.isPlaceRight().stream())
                        .toList();
                table.row(
                        id,
                        isRight(id) ? "yes" : "no",
                        Integer.toString(mine.size()),
                        Long.toString(named(mine)),
                        places.isEmpty()
                                ? ""
                                : places.stream().filter(right -> right).count() + " of " + places.size(),
                        mine.stream()
                                .flatMap(outcome -> outcome.right().stream())
                                .map(OutsideReport::seconds)
                                .collect(Collectors.joining(", ")));
            }
        }
        return table.markdown();
    }

    private static String seconds(Verdict verdict) {
        return String.format(Locale.ROOT, "%.1f", verdict.seconds());
    }

    private String table() {
        Table table = new Table(
                "workload", "label", "said, after s", "false", "threads", "size said", "right size", "size by Argus");
        for (OutsideOutcome outcome : outcomes) {
            Workload workload = outcome.workload();
            Optional<Verdict> right = outcome.right();
            table.row(
                    workload.name(),
                    workload.isSick()
                            ? String.join(", ", new TreeSet<>(workload.must()))
                            : "(healthy: " + workload.near() + ")",
                    outcome.wasRun()
                            ? outcome.verdicts().stream()
                                    .map(verdict -> verdict.id() + " " + seconds(verdict))
                                    .collect(Collectors.joining(", "))
                            : "not run",
                    String.join(", ", outcome.falseFindings()),
                    Integer.toString(outcome.threads()),
                    right.isPresent() && right.get().size().isPresent()
                            ? Integer.toString(right.get().size().getAsInt())
                            : "",
                    workload.sizes().map(Workload.Sizes::toString).orElse(""),
                    Long.toString(Math.max(ARGUS_LEAST, Math.round(Math.ceil(ARGUS * outcome.threads())))));
        }
        return table.markdown();
    }

    /** The text of each finding, so that a person can judge the words. */
    private String details() {
        StringBuilder text = new StringBuilder("\n## What was said\n\n");
        for (OutsideOutcome outcome : outcomes) {
            for (Verdict verdict : outcome.verdicts()) {
                text.append("- *")
                        .append(outcome.workload().name())
                        .append("* `")
                        .append(verdict.id())
                        .append("` pool ")
                        .append(verdict.pool())
                        .append(": ")
                        .append(verdict.text())
                        .append('\n');
            }
            outcome.log()
                    .forEach(line -> text.append("- *")
                            .append(outcome.workload().name())
                            .append("* the watcher printed: ")
                            .append(line)
                            .append('\n'));
        }
        return text.toString();
    }
}
