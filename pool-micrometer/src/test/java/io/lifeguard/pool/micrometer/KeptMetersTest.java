package io.lifeguard.pool.micrometer;

import static io.lifeguard.pool.micrometer.MeteredPools.end;
import static io.lifeguard.pool.micrometer.MeteredPools.metersOf;
import static io.lifeguard.pool.micrometer.MeteredPools.pool;
import static io.lifeguard.pool.micrometer.MeteredPools.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Pools;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters that stay for some time after their pool has terminated, so that its last values can be read. */
class KeptMetersTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @AfterEach
    void isEmpty() {
        await().until(() -> registry.getMeters().isEmpty());
    }

    @Test
    void keepAfterTermination_someTime_showsTheLastValuesUntilASuccessorComes() throws Exception {
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(Duration.ofHours(1))
                .build()) {
            keeping.bindTo(registry);
            InstrumentedThreadPoolExecutor pool = pool("lingering");
            registry.scrape();
            pool.submit(() -> {}).get();
            end(pool);
            await().untilAsserted(
                            () -> assertThat(submitted(registry, "lingering")).isEqualTo(1));
            await().until(() -> Pools.find("lingering").isEmpty());
            InstrumentedThreadPoolExecutor next = pool("lingering");
            assertThat(submitted(registry, "lingering")).isZero();
            end(next);
        }
    }

    /** A terminated pool may be collected while its meters are kept. */
    @Test
    void keepAfterTermination_poolIsCollected_keepsTheMeters() throws Exception {
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(Duration.ofHours(1))
                .build()) {
            keeping.bindTo(registry);
            WeakReference<Object> dropped = new WeakReference<>(endedAfterOneTask("late-news"));
            await().until(() -> {
                System.gc();
                return dropped.get() == null;
            });
            end(pool("next-after-late-news"));
            assertThat(submitted(registry, "late-news")).isEqualTo(1);
        }
    }

    private static Object endedAfterOneTask(String name) throws Exception {
        InstrumentedThreadPoolExecutor pool = pool(name);
        pool.submit(() -> {}).get();
        end(pool);
        await().until(() -> Pools.find(name).isEmpty());
        return pool;
    }

    @Test
    void keepAfterTermination_timeIsUp_removesTheMeters() {
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(Duration.ofMillis(50))
                .build()) {
            keeping.bindTo(registry);
            end(pool("brief"));
            await().until(() -> metersOf(registry, "brief").isEmpty());
        }
    }

    @Test
    void durations_moreNanosecondsThanALong_meanForever() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(forever)
                .standardTimersAfter(forever)
                .build()) {
            keeping.bindTo(registry);
            end(pool("forever"));
            await().until(() -> Pools.find("forever").isEmpty());
            end(pool("forever-too"));
            assertThat(metersOf(registry, "forever")).isNotEmpty();
            assertThat(registry.find("executor").meters()).isEmpty();
        }
    }
}
