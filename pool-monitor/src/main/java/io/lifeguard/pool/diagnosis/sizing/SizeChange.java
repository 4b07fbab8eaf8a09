package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;

/** Says what changes with another size. Stateless. */
final class SizeChange {

    /** Share of a throughput: a smaller difference is within the model's error of 4 %. */
    private static final double CLOSE = 0.05;

    private SizeChange() {}

    static String text(Sizing sizing, int size) {
        ServiceCurve.Point there = sizing.expected(size);
        return Units.format(
                "%d → %s: %s, service time %s → %s",
                sizing.workers(),
                Counted.of(size, "thread"),
                rate(sizing, size, there.throughput()),
                Units.time(Units.twoDigits(sizing.serviceTime())),
                Units.time(Units.twoDigits(there.serviceTime())));
    }

    private static String rate(Sizing sizing, int size, double then) {
        String now = Units.rate(Units.twoDigits(sizing.throughput()));
        String expected = Units.rate(Units.twoDigits(then));
        double least = sizing.leastThroughput(size);
        if (least < (1 - CLOSE) * then) {
            return Units.format(
                    "%s → %s to %s tasks/s, because other processes leave less CPU time to fewer threads",
                    now, Units.rate(Units.twoDigits(least)), expected);
        }
        if (Math.abs(then / sizing.throughput() - 1) < CLOSE) {
            return (size < sizing.workers() ? "at least " : "") + "the same " + now + " tasks/s";
        }
        return now + " → " + (size > sizing.workers() ? "up to " : "") + expected + " tasks/s";
    }
}
