package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Micrometer's own binder, bound to the same registry for the same pool. */
class TogetherWithMicrometerTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("both").size(1).build();
    private final ExecutorServiceMetrics micrometer = new ExecutorServiceMetrics(pool, "both", List.of());
    private final InstrumentedPoolMetrics lifeguard = new InstrumentedPoolMetrics(pool);

    @AfterEach
    void end() {
        lifeguard.close();
        pool.shutdownNow();
        await().until(pool::isTerminated); // its name is free then, for the next test's pool
    }

    @Test
    void bindTo_micrometersBinderSecond_countsOnce() throws Exception {
        lifeguard.bindTo(registry);
        micrometer.bindTo(registry);
        isCountedOnce();
    }

    @Test
    void bindTo_micrometersBinderFirst_countsOnceAndKeepsItsMeters() throws Exception {
        micrometer.bindTo(registry);
        lifeguard.bindTo(registry);
        isCountedOnce();
        lifeguard.close();
        assertThat(registry.get("executor.active").gauge().value()).isZero();
        assertThat(registry.find("lifeguard.submitted").meter()).isNull();
    }

    private void isCountedOnce() throws Exception {
        pool.submit(() -> {}).get();
        await().untilAsserted(() -> assertThat(series("executor_completed_tasks_total"))
                .containsExactly("executor_completed_tasks_total{name=\"both\"} 1.0"));
        assertThat(series("executor_active_threads")).hasSize(1);
        assertThat(series("executor_seconds_count")).containsExactly("executor_seconds_count{name=\"both\"} 1");
    }

    /** A program wraps its pools with Micrometer's monitor, and Executors was replaced by InstrumentedExecutors. */
    @Test
    void monitor_newPoolWithAllPoolsBound_worksAndTheTimersAreMicrometers() throws Exception {
        try (InstrumentedPoolMetrics all = InstrumentedPoolMetrics.builder()
                .standardTimersAfter(Duration.ofMillis(300))
                .build()) {
            all.bindTo(registry);
            ExecutorService wrapped = ExecutorServiceMetrics.monitor(
                    registry, InstrumentedExecutors.newFixedThreadPool("wrapped", 1), "wrapped", List.of());
            ExecutorService witness = InstrumentedExecutors.newFixedThreadPool("witness", 1);
            wrapped.submit(() -> {}).get();
            await().until(() -> registry.find("executor").tag("name", "witness").functionTimer() != null);
            assertThat(registry.get("executor").tag("name", "wrapped").meter()).isInstanceOf(Timer.class);
            await().untilAsserted(() -> assertThat(series("executor_seconds_count"))
                    .contains(
                            "executor_seconds_count{name=\"wrapped\"} 1", "executor_seconds_count{name=\"witness\"} 0")
                    .doesNotHaveDuplicates());
            assertThat(series("executor_pool_core_threads").stream().filter(line -> line.contains("wrapped")))
                    .hasSize(1);
            wrapped.shutdown();
            witness.shutdown();
        }
    }

    /** Micrometer's binder opens only the JDK's wrappers around a single thread, and registers no gauge for others. */
    @Test
    void monitor_singleThreadExecutor_hasLifeguardsGauges() throws Exception {
        try (InstrumentedPoolMetrics all = new InstrumentedPoolMetrics()) {
            all.bindTo(registry);
            ExecutorService wrapped = ExecutorServiceMetrics.monitor(
                    registry, InstrumentedExecutors.newSingleThreadExecutor("lonely"), "lonely", List.of());
            wrapped.submit(() -> {}).get();
            assertThat(registry.get("executor.pool.max")
                            .tag("name", "lonely")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            await().until(() -> registry.get("executor.completed")
                            .tag("name", "lonely")
                            .functionCounter()
                            .count()
                    == 1);
            assertThat(series("executor_seconds_count")).contains("executor_seconds_count{name=\"lonely\"} 1");
            wrapped.shutdown();
        }
    }

    /**
     * Older clients refuse to be scraped when two meters have the same name. Then no meter of the process is visible.
     */
    @Test
    void scrape_anotherPoolHasMicrometersTimers_hasNoNameTwice() throws Exception {
        lifeguard.bindTo(registry);
        assertThat(series("executor_seconds_max")).hasSize(1);
        ExecutorService plain = ExecutorServiceMetrics.monitor(registry, Executors.newFixedThreadPool(1), "plain");
        plain.submit(() -> {}).get();
        await().untilAsserted(() -> assertThat(series("executor_seconds_max")).hasSize(1));
        assertThat(series("executor_seconds_max").get(0)).contains("plain");
        assertThat(series("executor_seconds_count")).hasSize(2);
        plain.shutdown();
    }

    @Test
    void scrape_partOfTheCompositeHasMicrometersTimers_hasNoNameTwice() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        composite.add(registry);
        lifeguard.bindTo(composite);
        ExecutorService plain = ExecutorServiceMetrics.monitor(registry, Executors.newFixedThreadPool(1), "plain");
        await().untilAsserted(() -> assertThat(series("executor_seconds_max")).hasSize(1));
        assertThat(series("executor_seconds_max").get(0)).contains("plain");
        plain.shutdown();
    }

    /** Forced interleaving: another thread registers Micrometer's timers while Lifeguard registers its own. */
    @Test
    void bindTo_micrometersTimersComeMeanwhile_hasNoNameTwice() {
        AtomicReference<Thread> other = new AtomicReference<>();
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("executor") && "both".equals(id.getTag("name"))) {
                    Thread registering = new Thread(() -> Timer.builder("executor")
                            .tag("name", "plain")
                            .register(registry)
                            .record(Duration.ofSeconds(1)));
                    if (other.compareAndSet(null, registering)) {
                        registering.start();
                        await().until(() -> !registering.isAlive());
                    }
                }
                return id;
            }
        });
        lifeguard.bindTo(registry);
        assertThat(other.get()).isNotNull();
        assertThat(series("executor_seconds_max")).singleElement().asString().contains("plain");
    }

    @Test
    void bindTo_micrometersTimersAreThere_hasNoNameTwice() {
        ExecutorService plain = ExecutorServiceMetrics.monitor(registry, Executors.newFixedThreadPool(1), "plain");
        lifeguard.bindTo(registry);
        assertThat(series("executor_seconds_max")).hasSize(1);
        assertThat(series("executor_idle_seconds_max")).hasSize(1);
        plain.shutdown();
    }

    private List<String> series(String name) {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .toList();
    }
}
