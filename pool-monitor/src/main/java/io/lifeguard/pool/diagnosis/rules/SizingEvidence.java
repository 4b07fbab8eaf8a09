package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.sizing.SizeRange;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** Adds the numbers of a sizing to findings, under the same names in each. Stateless. */
final class SizingEvidence {

    private SizingEvidence() {}

    /** What keeps a rule from recommending a size: the machine, or how little is known. */
    static Optional<String> whyNoSize(PoolWindow window, Optional<Sizing> sizing) {
        Optional<String> none = Sizing.whyNone(window);
        if (none.isEmpty() && sizing.isEmpty()) {
            return Optional.of("the run time and the CPU time of tasks are unknown");
        }
        boolean isPoor = none.isEmpty() && sizing.get().certainty() == Certainty.POOR;
        return isPoor ? Optional.of(String.join("; ", sizing.get().doubts())) : none;
    }

    static Finding.Builder add(Finding.Builder finding, Sizing sizing) {
        finding.evidence("workers", sizing.workers())
                .evidence("throughput", sizing.throughput())
                .evidence("serviceTime", time(sizing.serviceTime()))
                .evidence("cpuTime", time(sizing.cpuTime()));
        OptionalDouble delay = sizing.runQueueDelay();
        if (delay.isPresent()) {
            finding.evidence("runQueueDelay", time(delay.getAsDouble()));
        }
        if (sizing.lockWait() > 0) {
            finding.evidence("lockWait", time(sizing.lockWait()));
        }
        return finding.evidence("outside", time(outside(sizing))).evidence("cores", sizing.cores());
    }

    static Finding.Builder size(Finding.Builder finding, SizeRange range, String format, Object... arguments) {
        return finding.size(range.low(), range.size(), range.high(), format, arguments);
    }

    /** A size with its interval: {@code 16 (10 to 30), while other processes use 1.1 of 2 CPUs}. */
    static String text(SizeRange range, Optional<String> sharing) {
        String interval = "";
        if (range.low() < range.size()) {
            interval = Units.format(" (%d to %d)", range.low(), range.high());
        } else if (range.high() > range.size()) {
            interval = Units.format(" (at most %d)", range.high());
        }
        return range.size() + interval + (sharing.isPresent() ? ", " + sharing.get() : "");
    }

    static Finding.Builder sharing(Finding.Builder finding, Optional<String> sharing) {
        return sharing.isPresent() ? finding.evidence("sizeHoldsWhile", sharing.get()) : finding;
    }

    static Finding.Builder noSize(Finding.Builder finding, String why) {
        return finding.evidence("noSizeBecause", why);
    }

    static Finding.Builder expect(Finding.Builder finding, Sizing sizing, int size) {
        ServiceCurve.Point then = sizing.expected(size);
        finding.evidence("expectedThroughput", then.throughput())
                .evidence("expectedServiceTime", time(then.serviceTime()));
        double least = sizing.leastThroughput(size);
        if (least < then.throughput()) {
            finding.evidence("expectedThroughputAtLeast", least);
        }
        if (Double.isFinite(sizing.bookFormula())) {
            finding.evidence("bookFormula", sizing.bookFormula());
        }
        return certainty(finding, sizing);
    }

    static Finding.Builder certainty(Finding.Builder finding, Sizing sizing) {
        finding.evidence("certainty", sizing.certainty().name());
        return sizing.doubts().isEmpty() ? finding : finding.evidence("doubts", sizing.doubts());
    }

    /** Seconds for which a task waited: neither on a CPU, nor in the run queue, nor for locks. */
    static double outside(Sizing sizing) {
        double inside = sizing.cpuTime() + sizing.runQueueDelay().orElse(0) + sizing.lockWait();
        return Math.max(0, sizing.serviceTime() - inside);
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1000);
    }
}
