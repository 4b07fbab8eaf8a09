package io.lifeguard.pool.micrometer;

import java.util.function.ToDoubleFunction;

/**
 * One number of a pool, read when a registry asks for it. Thread-safe. Registries hold it weakly, so the pool's meters
 * hold it strongly.
 *
 * <p>Reading never throws. A gauge without a value is NaN. A count never falls: registries take a count that falls for
 * a count that started again, and would add all of it once more.
 */
final class PolledValue {

    private final ScrapeReader reader;
    private final ToDoubleFunction<Reading> number;
    private final boolean isCount;
    private double most; // the largest count so far; guarded by this

    private PolledValue(ScrapeReader reader, ToDoubleFunction<Reading> number, boolean isCount) {
        this.reader = reader;
        this.number = number;
        this.isCount = isCount;
    }

    static PolledValue gauge(ScrapeReader reader, ToDoubleFunction<Reading> number) {
        return new PolledValue(reader, number, false);
    }

    static PolledValue count(ScrapeReader reader, ToDoubleFunction<Reading> number) {
        return new PolledValue(reader, number, true);
    }

    double value() {
        return isCount ? atLeastMost(read()) : read();
    }

    private synchronized double atLeastMost(double now) {
        most = now > most ? now : most; // NaN compares as false
        return most;
    }

    private double read() {
        Reading reading = reader.read();
        if (reading == null) {
            return Double.NaN;
        }
        try {
            return number.applyAsDouble(reading);
        } catch (RuntimeException e) {
            return Double.NaN; // a distribution that cannot be measured on this JVM throws
        }
    }
}
