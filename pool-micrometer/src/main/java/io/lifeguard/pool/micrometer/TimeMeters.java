package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Registers the pool's five distributions. Stateless. Each is a timer and a gauge of its largest value, with
 * percentiles and a histogram on request.
 */
final class TimeMeters {

    /**
     * Upper bounds of the histogram: from 1 µs to 69 s, each double the one before. They are powers of two of
     * nanoseconds, because the pool's own histograms have such bounds and the counts are therefore exact.
     */
    static final List<Duration> BORDERS = IntStream.rangeClosed(10, 36)
            .mapToObj(bits -> Duration.ofNanos(1L << bits))
            .toList();

    private static final Duration ALL = Duration.ofNanos(Long.MAX_VALUE);

    private TimeMeters() {}

    static void register(Registrar registrar, MeterOptions options) {
        for (PoolTime time : PoolTime.values()) {
            registrar.timer(time.timer(), time::count, time::totalNanos);
            max(registrar, time.timer().name(), time);
            options.percentiles().forEach(quantile -> percentile(registrar, time, quantile));
            if (options.histograms()) {
                histogram(registrar, time);
            }
        }
    }

    /** Registers the largest recent value, so that Prometheus shows it as it shows that of Micrometer's own timers. */
    static void max(Registrar registrar, String timer, PoolTime time) {
        registrar.gauge(
                new MeterRow(timer + MeterRow.SECONDS_MAX, null, "Largest recent value in seconds"),
                reading -> PoolTime.seconds(reading.recent(time).max()));
    }

    private static void percentile(Registrar registrar, PoolTime time, double quantile) {
        registrar.seconds(
                time.beside(MeterRow.PERCENTILE, "Recent percentiles. "),
                reading -> percentile(reading.recent(time), quantile),
                MeterRow.TAG_PHI,
                Double.toString(quantile));
    }

    private static double percentile(Distribution recent, double quantile) {
        return recent.count() == 0 ? Double.NaN : PoolTime.seconds(recent.percentile(quantile));
    }

    private static void histogram(Registrar registrar, PoolTime time) {
        BORDERS.forEach(border -> bucket(registrar, time, border, plain(border)));
        bucket(registrar, time, ALL, "+Inf");
    }

    private static void bucket(Registrar registrar, PoolTime time, Duration border, String le) {
        registrar.counter(
                time.beside(MeterRow.HISTOGRAM, "How many were no longer. "),
                Reading.of(now -> time.of(now).countBelow(border)),
                MeterRow.TAG_LE,
                le);
    }

    private static String plain(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }
}
