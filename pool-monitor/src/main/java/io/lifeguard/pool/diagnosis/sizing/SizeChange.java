package io.lifeguard.pool.diagnosis.sizing;

import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;

/**
 * Says what changes with another size. Immutable.
 *
 * @param workers the size now
 * @param throughput tasks per second now
 * @param serviceTime seconds now
 */
record SizeChange(int workers, double throughput, double serviceTime) {

    /** Share of a throughput: a smaller difference is within the model's error of 4 %. */
    private static final double CLOSE = 0.05;

    /** {@return the clause} {@code least} is the throughput if other processes leave less to fewer threads. */
    String to(ServiceCurve.Point there, double least) {
        return Units.format(
                "%d → %s: %s, service time %s → %s",
                workers,
                Counted.of(there.workers(), "thread"),
                rate(there, least),
                Units.time(Units.twoDigits(serviceTime)),
                Units.time(Units.twoDigits(there.serviceTime())));
    }

    private String rate(ServiceCurve.Point there, double least) {
        String now = Units.rate(Units.twoDigits(throughput));
        String expected = Units.rate(Units.twoDigits(there.throughput()));
        if (least < (1 - CLOSE) * there.throughput()) {
            return Units.format(
                    "%s → %s to %s tasks/s, because other processes leave less CPU time to fewer threads",
                    now, Units.rate(Units.twoDigits(least)), expected);
        }
        if (Math.abs(there.throughput() / throughput - 1) < CLOSE) {
            return (there.workers() < workers ? "at least " : "") + "the same " + now + " tasks/s";
        }
        return now + " → " + (there.workers() > workers ? "up to " : "") + expected + " tasks/s";
    }
}
