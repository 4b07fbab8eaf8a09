package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.pool.corpus.looks.Look;
import io.lifeguard.pool.corpus.looks.Standing;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How a sick program was judged from one side. Immutable.
 *
 * @param label what must be said of it
 * @param run what was said
 * @param isOutside whether {@code lifeguard watch} said it
 * @param load how many threads of this machine ran or wanted a CPU in the minute before
 */
record VirtualOutcome(Label label, VirtualRun run, boolean isOutside, double load) {

    static VirtualOutcome of(Label label, VirtualRun run, boolean isOutside) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return new VirtualOutcome(label, run, isOutside, load);
    }

    /** Within which a monitor must be right, from the beginning of the load on. */
    private static final double INSIDE_SECONDS = 5;

    /** Within which a watcher must be right, from its start on. */
    private static final double OUTSIDE_SECONDS = 8;

    private static final int FOUND = 1;

    /** Seconds until cause, line and holder were right; empty if never. */
    OptionalDouble seconds() {
        return run.course().looks().stream()
                .filter(look -> look.findings().stream().anyMatch(finding -> label.isRight(finding, isOutside)))
                .mapToDouble(look -> Math.max(0, look.millis()) / 1e3)
                .findFirst();
    }

    boolean isInTime() {
        OptionalDouble seconds = seconds();
        return seconds.isPresent() && seconds.getAsDouble() <= (isOutside ? OUTSIDE_SECONDS : INSIDE_SECONDS);
    }

    boolean hasCause() {
        return shows(label::isCauseIn);
    }

    boolean hasPlace() {
        return shows(finding -> label.isCauseIn(finding) && label.isPlaceIn(finding));
    }

    boolean hasHolder() {
        return shows(finding -> label.isCauseIn(finding) && label.isHolderIn(finding, isOutside));
    }

    private boolean shows(Predicate<Standing> what) {
        return run.course().looks().stream()
                .flatMap(look -> look.findings().stream())
                .anyMatch(what);
    }

    /** The findings that the label does not allow. */
    Set<String> falseFindings() {
        Set<String> ids = run.course().found();
        ids.remove(label.id());
        ids.removeAll(label.may());
        return ids;
    }

    /** Whether another answer is as right as the first right one: the last look must still say it. */
    private boolean stillStands() {
        List<Look> looks = run.course().looks();
        return !looks.isEmpty()
                && looks.get(looks.size() - 1).findings().stream().anyMatch(label::isCauseIn);
    }

    private String atTheEnd() {
        List<Look> looks = run.course().looks();
        return looks.get(looks.size() - 1).findings().stream()
                .map(Label::summary)
                .reduce((one, other) -> one + "; " + other)
                .orElse("nothing");
    }

    private boolean isExitRight() {
        return run.exitCode().isEmpty() || run.exitCode().getAsInt() == FOUND;
    }

    /** What is wrong, in some words; empty when all is right. */
    String wrong() {
        Set<String> wrong = new TreeSet<>();
        if (!hasCause()) {
            Set<String> found = run.course().found();
            wrong.add("cause missed" + (found.isEmpty() ? "" : ", said " + String.join(", ", found)));
        } else {
            if (!hasPlace()) {
                wrong.add("line missing");
            }
            if (!hasHolder()) {
                wrong.add("holder missing");
            }
            if (hasPlace() && hasHolder() && !isInTime()) {
                wrong.add("late");
            }
            if (!stillStands()) {
                wrong.add("resolved too early, at the end: " + atTheEnd());
            }
        }
        falseFindings().forEach(id -> wrong.add("also " + id));
        if (run.course().contradictory(Set.of(label.id())) > 0) {
            wrong.add("contradicts itself");
        }
        if (!isExitRight()) {
            wrong.add("exit code " + run.exitCode().getAsInt());
        }
        return String.join("; ", wrong);
    }

    boolean isRight() {
        return wrong().isEmpty();
    }

    /** The latest summaries, each finding once, the right one first. */
    List<String> said() {
        List<Standing> all = run.course().all(run.course().found());
        return run.course().found().stream()
                .sorted((one, other) -> Boolean.compare(other.equals(label.id()), one.equals(label.id())))
                .map(id -> latest(all, id).map(text -> "`" + id + "` " + text).orElse(""))
                .collect(Collectors.toList());
    }

    private Optional<String> latest(List<Standing> all, String id) {
        List<Standing> its =
                all.stream().filter(finding -> finding.id().equals(id)).toList();
        return its.stream()
                .filter(finding -> label.isRight(finding, isOutside))
                .findFirst()
                .or(() -> its.stream().reduce((one, other) -> other))
                .map(Label::summary);
    }
}
