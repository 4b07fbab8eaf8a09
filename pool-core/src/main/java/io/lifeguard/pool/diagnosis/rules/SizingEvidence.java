package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Adds the numbers of a sizing to findings, under the same names in each. Stateless. */
final class SizingEvidence {

    private SizingEvidence() {}

    /**
     * The verdict of a rule that rests on a sizing.
     *
     * @param holds whether the sizing shows what the rule looks for
     * @param finding makes the finding then
     */
    static Verdict judge(PoolWindow window, Predicate<Sizing> holds, Function<Sizing, Finding> finding) {
        Sizing sizing = Sizing.of(window).orElse(null);
        if (sizing == null) {
            return Verdict.unknown("how long tasks run, and how much CPU time they use");
        }
        return holds.test(sizing) ? Verdict.found(finding.apply(sizing)) : Verdict.clear();
    }

    /** The sizing of a window, if its certainty is not poor. */
    static Optional<Sizing> trusted(PoolWindow window) {
        return Sizing.of(window).filter(sizing -> sizing.certainty() != Certainty.POOR);
    }

    static Finding.Builder add(Finding.Builder finding, Sizing sizing) {
        finding.evidence("workers", sizing.workers())
                .evidence("throughput", sizing.throughput())
                .evidence("serviceTime", time(sizing.serviceTime()))
                .evidence("cpuTime", time(sizing.cpuTime()));
        sizing.runQueueDelay().ifPresent(delay -> finding.evidence("runQueueDelay", time(delay)));
        if (sizing.lockWait() > 0) {
            finding.evidence("lockWait", time(sizing.lockWait()));
        }
        return finding.evidence("outside", time(outside(sizing))).evidence("cores", sizing.cores());
    }

    /** Adds what to expect at a size, and how certain that is. */
    static Finding.Builder expect(Finding.Builder finding, Sizing sizing, int size) {
        double ratio = sizing.curve().at(size).throughput() / sizing.now().throughput();
        finding.recommendedSize(size)
                .evidence("expectedThroughput", sizing.throughput() * ratio)
                .evidence("expectedServiceTime", time(sizing.curve().at(size).serviceTime()));
        if (Double.isFinite(sizing.bookFormula())) {
            finding.evidence("bookFormula", sizing.bookFormula());
        }
        return certainty(finding, sizing);
    }

    /** Adds how far the numbers can be trusted. */
    static Finding.Builder certainty(Finding.Builder finding, Sizing sizing) {
        finding.evidence("certainty", sizing.certainty().name());
        return sizing.doubts().isEmpty() ? finding : finding.evidence("doubts", sizing.doubts());
    }

    /** Seconds for which a task waited outside: neither on a CPU, nor in the run queue, nor for locks. */
    static double outside(Sizing sizing) {
        double inside = sizing.cpuTime() + sizing.runQueueDelay().orElse(0) + sizing.lockWait();
        return Math.max(0, sizing.serviceTime() - inside);
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1000);
    }
}
