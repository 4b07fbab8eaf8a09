package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters that are published only on request: kinds of tasks, percentiles, histograms. */
class KindAndTimeMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("asked").size(1).build();

    @AfterEach
    void end() {
        pool.shutdownNow();
        await().until(pool::isTerminated); // its name is free then, for the next test's pool
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void kinds_moreThanTheLimit_shareOneMeter() throws Exception {
        InstrumentedPoolMetrics.builder().pool(pool).kinds(2).build().bindTo(registry);
        for (int i = 1; i <= 4; i++) {
            for (int j = 0; j < i; j++) {
                pool.submit(Tasks.named("kind-" + i, () -> {})).get();
            }
            int seen = Math.min(i, 3);
            await().until(() -> {
                registry.get("executor.active").gauge().value();
                return registry.find("lifeguard.kind.service.time").meters().size() == seen;
            });
        }
        await().until(() -> runs("(other)") == 7);
        assertThat(runs("kind-1")).isEqualTo(1);
        assertThat(runs("kind-2")).isEqualTo(2);
        assertThat(registry.get("lifeguard.kind.queue.wait")
                        .tag("kind", "(other)")
                        .functionTimer()
                        .totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    private double runs(String kind) {
        return registry.get("lifeguard.kind.service.time")
                .tag("kind", kind)
                .functionTimer()
                .count();
    }

    @Test
    void histograms_someTasks_areCumulativeAndEndWithAll() throws Exception {
        InstrumentedPoolMetrics.builder().pool(pool).histograms().build().bindTo(registry);
        for (int i = 0; i < 20; i++) {
            pool.submit(taskOf(i % 2 == 0 ? 0 : 5)).get();
        }
        await().until(() -> bucket("+Inf") == 20);
        double before = 0;
        for (Duration border : TimeMeters.BORDERS) {
            double count = bucket(
                    BigDecimal.valueOf(border.toNanos(), 9).stripTrailingZeros().toPlainString());
            assertThat(count).isBetween(before, 20.0);
            before = count;
        }
        assertThat(bucket("0.004194304")).as("shorter than 5 ms").isLessThanOrEqualTo(10);
        assertThat(before).as("shorter than a minute").isEqualTo(20);
        List<String> borders = registry.get("lifeguard.service.time.histogram").functionCounters().stream()
                .map(counter -> counter.getId().getTag("le"))
                .toList();
        assertThat(borders).hasSize(28).contains("0.000001024", "0.001048576", "68.719476736", "+Inf");
    }

    /** A task whose service time is at least that. */
    private static Callable<Void> taskOf(int millis) {
        return () -> {
            TimeUnit.MILLISECONDS.sleep(millis);
            return null;
        };
    }

    private double bucket(String le) {
        FunctionCounter counter =
                registry.get("lifeguard.service.time.histogram").tag("le", le).functionCounter();
        return counter.count();
    }

    @Test
    void percentiles_someTasks_areThoseOfTheirTimes() throws Exception {
        InstrumentedPoolMetrics.builder().pool(pool).percentiles(0.5, 1).build().bindTo(registry);
        assertThat(percentile("0.5")).as("nothing has run").isNaN();
        pool.submit(taskOf(20)).get();
        await().until(() -> percentile("0.5") >= 0.018);
        assertThat(percentile("1.0"))
                .isEqualTo(registry.get("lifeguard.service.time.seconds.max")
                        .gauge()
                        .value());
    }

    /** Tasks that ran before the first reading of a new pool are still recent at the second. */
    @Test
    void percentiles_newPoolReadTwice_coverItsFirstMinute() throws Exception {
        try (InstrumentedPoolMetrics all =
                InstrumentedPoolMetrics.builder().percentiles(1).build()) {
            all.bindTo(registry);
            InstrumentedThreadPoolExecutor young =
                    InstrumentedThreadPoolExecutor.named("young").size(1).build();
            young.submit(taskOf(20)).get();
            await().until(() -> longest("young") >= 0.018);
            double first = longest("young");
            Freshness.end();
            assertThat(longest("young")).isEqualTo(first);
            young.shutdown();
            await().until(young::isTerminated);
        }
    }

    private double longest(String pool) {
        return registry.get("lifeguard.service.time.percentile")
                .tag("name", pool)
                .timeGauge()
                .value();
    }

    private double percentile(String phi) {
        return registry.get("lifeguard.service.time.percentile")
                .tag("phi", phi)
                .timeGauge()
                .value();
    }

    @Test
    void builder_outOfRange_isRejectedWithTheValue() {
        InstrumentedPoolMetrics.Builder builder = InstrumentedPoolMetrics.builder();
        assertThatThrownBy(() -> builder.percentiles(99))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("percentiles must be between 0 and 1 (was 99.0)");
        assertThatThrownBy(() -> builder.mostPools(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mostPools must be >= 1 (was 0)");
        assertThatThrownBy(() -> builder.kinds(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kinds must be >= 0 (was -1)");
        assertThatThrownBy(() -> builder.keepAfterTermination(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keepAfterTermination must not be negative (was PT-1S)");
    }
}
