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

/** Meters that outlive their pool, because somebody wants to read its last moments. */
class KeptMetersTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @AfterEach
    void isEmpty() {
        await().until(() -> registry.getMeters().isEmpty());
    }

    @Test
    void keepAfterTermination_someTime_tellsTheLastMomentsAndGivesWayToASuccessor() throws Exception {
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

    /** Who drops a pool that has ended has not dropped what is to be told of it. */
    @Test
    void keepAfterTermination_poolIsCollected_keepsThem() throws Exception {
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
    void keepAfterTermination_timeIsUp_removesThem() {
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(Duration.ofMillis(50))
                .build()) {
            keeping.bindTo(registry);
            end(pool("brief"));
            await().until(() -> metersOf(registry, "brief").isEmpty());
        }
    }

    @Test
    void durations_longerThanNanosecondsCanTell_areForEver() {
        Duration forEver = ChronoUnit.FOREVER.getDuration();
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(forEver)
                .standardTimersAfter(forEver)
                .build()) {
            keeping.bindTo(registry);
            end(pool("for-ever"));
            await().until(() -> Pools.find("for-ever").isEmpty());
            end(pool("for-ever-too"));
            assertThat(metersOf(registry, "for-ever")).isNotEmpty();
            assertThat(registry.find("executor").meters()).isEmpty();
        }
    }
}
