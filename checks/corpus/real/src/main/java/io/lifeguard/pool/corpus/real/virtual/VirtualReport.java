package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.workbench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** Reports how programs on virtual threads were judged. Not thread-safe. */
final class VirtualReport {

    private final Table sick = new Table(
            "program", "Java", "inside, s", "outside, s", "exit", "cause", "line", "holder", "load", "verdict");
    private final Table healthy =
            new Table("program", "Java", "seconds", "said inside", "said outside", "exit", "verdict");
    private final List<String> details = new ArrayList<>();
    private int right;
    private int all;
    private int silent;
    private int allHealthy;

    /** Adds a sick program. */
    boolean add(VirtualProgram program, int feature, VirtualOutcome inside, VirtualOutcome outside) {
        boolean isRight = inside.isRight() && outside.isRight();
        Label label = inside.label();
        sick.row(
                program.name(),
                Integer.toString(feature),
                number(inside.seconds()),
                number(outside.seconds()),
                Integer.toString(outside.run().exitCode().orElse(-1)),
                label.id() + sides(inside.hasCause(), outside.hasCause()),
                label.place() + sides(inside.hasPlace(), outside.hasPlace()),
                label.holder().isEmpty()
                        ? "nobody can know"
                        : sides(inside.hasHolder(), label.holderOutside().isEmpty() || outside.hasHolder())
                                .strip(),
                "%.0f".formatted(Math.max(inside.load(), outside.load())),
                verdict(inside, outside));
        all++;
        right += isRight ? 1 : 0;
        details.add("- *" + program.name() + "*, Java " + feature + ": " + program.about() + ".");
        inside.said().forEach(text -> details.add("  - inside: " + text));
        outside.said().forEach(text -> details.add("  - outside: " + text));
        return isRight;
    }

    /** Adds a sick program that could not be played. It counts as wrong. */
    void addNotRun(VirtualProgram program, int feature) {
        sick.row(program.name(), Integer.toString(feature), "", "", "", "", "", "", "", "**not run**");
        all++;
    }

    private static String sides(boolean inside, boolean outside) {
        return inside && outside ? " right" : inside ? " inside only" : outside ? " outside only" : " **missed**";
    }

    private static String verdict(VirtualOutcome inside, VirtualOutcome outside) {
        if (inside.isRight() && outside.isRight()) {
            return "right";
        }
        return (inside.isRight() ? "" : "**inside: " + inside.wrong() + "** ")
                + (outside.isRight() ? "" : "**outside: " + outside.wrong() + "**");
    }

    /** Adds a healthy program. */
    boolean add(VirtualProgram program, int feature, long seconds, VirtualRun inside, VirtualRun outside) {
        Set<String> insideFound = inside.course().found();
        Set<String> outsideFound = outside.course().found();
        int exit = outside.exitCode().orElse(-1);
        boolean isSilent = insideFound.isEmpty() && outsideFound.isEmpty() && exit == 0;
        healthy.row(
                program.name(),
                Integer.toString(feature),
                Long.toString(seconds),
                String.join(", ", insideFound),
                String.join(", ", outsideFound),
                Integer.toString(exit),
                isSilent ? "silent" : "**wrong**");
        allHealthy++;
        silent += isSilent ? 1 : 0;
        if (!isSilent) {
            inside.course().all(insideFound).stream()
                    .map(Label::summary)
                    .distinct()
                    .limit(3)
                    .forEach(text -> details.add("- *" + program.name() + "*, inside: " + text));
            outside.course().all(outsideFound).stream()
                    .map(Label::summary)
                    .distinct()
                    .limit(3)
                    .forEach(text -> details.add("- *" + program.name() + "*, outside: " + text));
        }
        return isSilent;
    }

    private static String number(OptionalDouble seconds) {
        return seconds.isPresent() ? "%.1f".formatted(seconds.getAsDouble()) : "";
    }

    /** Whether eleven of twelve sick programs were judged rightly, and all healthy ones were silent. */
    boolean isGood() {
        return 12 * right >= 11 * all && silent == allHealthy;
    }

    String markdown() {
        return "# Programs on virtual threads\n\n"
                + (all == 0 ? "" : "## Sick\n\n" + sick.markdown() + "\nRight: " + right + " of " + all + ".\n\n")
                + (allHealthy == 0
                        ? ""
                        : "## Healthy\n\n" + healthy.markdown() + "\nSilent: " + silent + " of " + allHealthy + ".\n\n")
                + "## What was said\n\n"
                + String.join("\n", details)
                + "\n";
    }
}
