package io.lifeguard.examples.jaraudit;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The runs with both policies, round by round. Immutable.
 *
 * @param callerRuns the runs in which the dispatcher ran tasks
 * @param waiting the same number of runs in which the dispatcher waited
 */
record Comparison(List<RunResult> callerRuns, List<RunResult> waiting) {

    /** Below 0.3 s chance decides a run: one garbage collection takes a tenth of that. */
    private static final long MIN_NANOS = 300_000_000;

    /** A run must fill the pool 5 times, so that the first and the last tasks do not decide the result. */
    private static final int MIN_FILLINGS = 5;

    /** If other programs use more than a tenth of the processors, they may change the result as much as the policy. */
    private static final double OTHERS = 0.1;

    /** A ratio closer to 1 than this is within the noise of repeated runs. */
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

    /** Returns the time of the caller-runs run divided by the time of the waiting run, in one round. */
    double ratio(int round) {
        return ratio(callerRuns.get(round), waiting.get(round));
    }

    /** Returns the median time with caller-runs divided by the median time with waiting. */
    double ratio() {
        return ratio(median(callerRuns), median(waiting));
    }

    private static double ratio(RunResult slower, RunResult faster) {
        return (double) slower.elapsedNanos() / faster.elapsedNanos();
    }

    /** Returns what the run is that stands for all: "median ", "shorter " of two, or nothing where there is one. */
    String typical() {
        return rounds() == 1 ? "" : rounds() == 2 ? "shorter " : "median ";
    }

    /** Returns the run with the median time; of two runs, the shorter one. */
    static RunResult median(List<RunResult> runs) {
        return runs.stream()
                .sorted(Comparator.comparingLong(RunResult::elapsedNanos))
                .toList()
                .get((runs.size() - 1) / 2);
    }

    /** Returns the reason why the ratio means nothing, if there is one. */
    Optional<String> flaw(int audits, int workers, int queue) {
        if (audits <= workers + queue) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "The ratio means nothing: %s %s into %d workers and %d places in the queue, so the pool was never"
                            + " full.",
                    Printable.count(audits, "audit"),
                    audits == 1 ? "fits" : "fit",
                    workers,
                    queue));
        }
        if (audits < MIN_FILLINGS * (workers + queue) || median(waiting).elapsedNanos() < MIN_NANOS) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "The sample is too small for the ratio to mean anything: %s in %s.",
                    Printable.count(audits, "audit"),
                    Printable.seconds(median(waiting).elapsedNanos())));
        }
        return Optional.empty();
    }

    /** Returns the warning that other programs were busy meanwhile, if they were. */
    Optional<String> disturbance() {
        if (othersUse() <= OTHERS) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "Other programs used up to %.0f %% of the processors meanwhile. Repeat it when the machine is quiet.",
                othersUse() * 100));
    }

    /** Returns the largest share of the processors that other programs are known to have used. */
    private double othersUse() {
        return Stream.of(median(callerRuns), median(waiting))
                .mapToDouble(run -> run.cpu().others())
                .filter(share -> !Double.isNaN(share))
                .max()
                .orElse(0);
    }

    /** Returns the ratio in a sentence. It is meaningful only if there is no {@link #flaw}. */
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
