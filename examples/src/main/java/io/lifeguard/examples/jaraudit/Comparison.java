package io.lifeguard.examples.jaraudit;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The runs of both policies, round by round. Immutable.
 *
 * @param callerRuns the runs in which the dispatcher ran tasks
 * @param waiting as many runs in which it waited
 */
record Comparison(List<RunResult> callerRuns, List<RunResult> waiting) {

    /** A run shorter than this is decided by chance: a garbage collection, a timer tick. */
    private static final long LEAST_NANOS = 300_000_000;

    /** How many times a run must fill the whole pool for its first and last tasks not to matter. */
    private static final int LEAST_FILLINGS = 5;

    /** When others use more than this of the processors, they decide as much as the policy. */
    private static final double OTHERS = 0.1;

    /** What is closer to 1 than this is no difference. */
    private static final double NOISE = 0.05;

    Comparison {
        callerRuns = List.copyOf(callerRuns);
        waiting = List.copyOf(waiting);
        if (callerRuns.isEmpty() || callerRuns.size() != waiting.size()) {
            throw new IllegalArgumentException(
                    "runs must come in pairs (were " + callerRuns.size() + " and " + waiting.size() + ")");
        }
    }

    int rounds() {
        return callerRuns.size();
    }

    /** Returns how many times as long caller-runs took in a round. */
    double ratio(int round) {
        return ratio(callerRuns.get(round), waiting.get(round));
    }

    /** Returns how many times as long caller-runs took, in the medians of all rounds. */
    double ratio() {
        return ratio(median(callerRuns), median(waiting));
    }

    private static double ratio(RunResult slower, RunResult faster) {
        return (double) slower.elapsedNanos() / faster.elapsedNanos();
    }

    /** Returns the run in the middle when sorted by time; of two, the shorter. */
    static RunResult median(List<RunResult> runs) {
        return runs.stream()
                .sorted(Comparator.comparingLong(RunResult::elapsedNanos))
                .toList()
                .get((runs.size() - 1) / 2);
    }

    /** Returns why the ratio says nothing, if there is a reason. */
    Optional<String> flaw(int jars, int workers, int queue) {
        if (jars <= workers + queue) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "The ratio means nothing: %s %s into %d workers and %d places in the queue, so the pool was never"
                            + " full.",
                    Printable.count(jars, "jar"),
                    jars == 1 ? "fits" : "fit",
                    workers,
                    queue));
        }
        if (jars < LEAST_FILLINGS * (workers + queue) || median(waiting).elapsedNanos() < LEAST_NANOS) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "The sample is too small for the ratio to mean anything: %s in %s.",
                    Printable.count(jars, "jar"),
                    Printable.seconds(median(waiting).elapsedNanos())));
        }
        if (othersUse() > OTHERS) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "The ratio means nothing: other programs used up to %.0f %% of the processors. Repeat it when the"
                            + " machine is quiet.",
                    othersUse() * 100));
        }
        return Optional.empty();
    }

    /** Returns the largest share of the processors that others are known to have used. */
    private double othersUse() {
        return Stream.of(median(callerRuns), median(waiting))
                .mapToDouble(run -> run.cpu().others())
                .filter(share -> !Double.isNaN(share))
                .max()
                .orElse(0);
    }

    /** Returns what the ratio says, provided that there is no {@link #flaw}. */
    String verdict() {
        double least = ratios().min().orElseThrow();
        double most = ratios().max().orElseThrow();
        String range =
                rounds() == 1 ? "" : String.format(Locale.ROOT, " (%.2f to %.2f in %d rounds)", least, most, rounds());
        if (Math.abs(ratio() - 1) < NOISE || (least < 1 && most > 1)) {
            return "No difference to speak of between caller-runs and waiting" + range + ".";
        }
        return ratio() > 1
                ? String.format(Locale.ROOT, "Waiting was %.2f times as fast as caller-runs%s.", ratio(), range)
                : String.format(Locale.ROOT, "Caller-runs was %.2f times as fast as waiting%s.", 1 / ratio(), range);
    }

    private DoubleStream ratios() {
        return IntStream.range(0, rounds()).mapToDouble(this::ratio);
    }
}
