package io.lifeguard.pool.micrometer;

import java.util.function.ToDoubleFunction;

/**
 * One number of a pool, read when a registry asks. Thread-safe. Registries hold it weakly, so the pool's meters hold it strongly.
 *
 * <p>A number never throws. A gauge without a value is NaN. A count keeps the most it has been: registries take one that falls for one that
 * began anew, and would count all of it again.
 */
final class Pulled {

    private final ScrapeReader reader;
    private final ToDoubleFunction<Reading> number;
    private final boolean isCount;
    private double most; // guarded by this

    private Pulled(ScrapeReader reader, ToDoubleFunction<Reading> number, boolean isCount) {
        this.reader = reader;
        this.number = number;
        this.isCount = isCount;
    }

    static Pulled gauge(ScrapeReader reader, ToDoubleFunction<Reading> number) {
        return new Pulled(reader, number, false);
    }

    static Pulled count(ScrapeReader reader, ToDoubleFunction<Reading> number) {
        return new Pulled(reader, number, true);
    }

    double value() {
        return isCount ? grown(now()) : now();
    }

    private synchronized double grown(double now) {
        most = now > most ? now : most; // false for NaN
        return most;
    }

    private double now() {
        Reading reading = reader.read();
        if (reading == null) {
            return Double.NaN;
        }
        try {
            return number.applyAsDouble(reading);
        } catch (RuntimeException unknown) {
            return Double.NaN; // a distribution that cannot be measured here says so by throwing
        }
    }
}
