package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Distribution;
import io.micrometer.core.instrument.Tags;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Registers the pool's five distributions: each a timer with its largest value, and on request percentiles or a histogram. Stateless. */
final class TimeMeters {

    /** Powers of two of nanoseconds, of which the pool's own histograms have borders: 1 µs to 69 s, each double the one before. */
    static final List<Duration> BORDERS = IntStream.rangeClosed(10, 36)
            .mapToObj(bits -> Duration.ofNanos(1L << bits))
            .toList();

    private static final Duration ALL = Duration.ofNanos(Long.MAX_VALUE);

    private TimeMeters() {}

    static void register(Registrar meters, MeterOptions options) {
        for (PoolTime time : PoolTime.values()) {
            meters.timer(
                    time.meter(),
                    time.description(),
                    Tags.empty(),
                    reading -> time.of(reading.now()).count(),
                    reading -> time.of(reading.now()).total().toNanos());
            max(meters, time.meter(), time);
            options.percentiles().forEach(quantile -> percentile(meters, time, quantile));
            if (options.histograms()) {
                histogram(meters, time);
            }
        }
    }

    /** Named after the Prometheus name that the largest value of one of Micrometer's own timers has. */
    static void max(Registrar meters, String timer, PoolTime time) {
        meters.gauge(
                timer + MeterNames.SECONDS_MAX,
                null,
                "Largest recent value in seconds",
                reading -> seconds(reading.recent(time).max()));
    }

    private static void percentile(Registrar meters, PoolTime time, double quantile) {
        meters.seconds(
                time.meter() + MeterNames.PERCENTILE,
                "Recent percentiles. " + time.description(),
                Tags.of(MeterNames.TAG_PHI, Double.toString(quantile)),
                reading -> percentile(reading.recent(time), quantile));
    }

    private static double percentile(Distribution recent, double quantile) {
        return recent.count() == 0 ? Double.NaN : seconds(recent.percentile(quantile));
    }

    private static void histogram(Registrar meters, PoolTime time) {
        for (Duration border : BORDERS) {
            bucket(meters, time, border, plain(border));
        }
        bucket(meters, time, ALL, "+Inf");
    }

    private static void bucket(Registrar meters, PoolTime time, Duration border, String le) {
        meters.counter(
                time.meter() + MeterNames.HISTOGRAM,
                null,
                "How many were no longer. " + time.description(),
                Tags.of(MeterNames.TAG_LE, le),
                reading -> time.of(reading.now()).countBelow(border));
    }

    private static String plain(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
