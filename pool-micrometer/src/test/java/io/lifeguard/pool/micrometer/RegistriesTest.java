package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every kind of registry, alone or in a composite, shows what the pool has measured. */
class RegistriesTest {

    private final InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("registries")
            .size(2)
            .queueCapacity(1)
            .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
            .build();
    private final InstrumentedPoolMetrics metrics = new InstrumentedPoolMetrics(pool);

    @AfterEach
    void end() {
        metrics.close();
        pool.shutdownNow();
    }

    @Test
    void values_simpleRegistry_areThoseOfTheSnapshot() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        work(50);
        compare(registry);
    }

    @Test
    void values_prometheus_areThoseOfTheSnapshot() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        work(50);
        compare(registry);
        PoolSnapshot now = pool.snapshot();
        assertThat(registry.scrape())
                .contains("executor_completed_tasks_total{name=\"registries\"} " + (double) now.completed())
                .contains("executor_seconds_count{name=\"registries\"} "
                        + now.serviceTime().count())
                .contains("lifeguard_caller_runs_total{name=\"registries\"} " + (double) now.callerRuns())
                .contains("lifeguard_rejected_tasks_total{name=\"registries\",reason=\"shut-down\"} 0.0");
    }

    @Test
    void values_stepRegistry_areThoseOfTheStep() throws Exception {
        StepRegistry registry = new StepRegistry(Duration.ofMinutes(1));
        metrics.bindTo(registry);
        work(30);
        Freshness.end();
        registry.endStep();
        long first = pool.snapshot().completed();
        assertThat(completed(registry)).isEqualTo(first);
        assertThat(waits(registry)).isEqualTo(first);
        work(20);
        Freshness.end();
        registry.endStep();
        long second = pool.snapshot().completed() - first;
        assertThat(completed(registry)).isEqualTo(second).isNotEqualTo(first);
        assertThat(waits(registry)).isEqualTo(second);
        registry.endStep();
        assertThat(completed(registry)).isZero();
    }

    /** Registries with different steps, and without steps, must not disturb each other. */
    @Test
    void values_composite_areRightInEachPart() throws Exception {
        StepRegistry minutes = new StepRegistry(Duration.ofMinutes(1));
        StepRegistry seconds = new StepRegistry(Duration.ofSeconds(10));
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        composite.add(minutes).add(seconds).add(simple);
        metrics.bindTo(composite);
        composite.add(prometheus); // later
        work(30);
        Freshness.end();
        seconds.endStep();
        long first = pool.snapshot().completed();
        work(20);
        Freshness.end();
        seconds.endStep();
        minutes.endStep();
        long all = pool.snapshot().completed();
        assertThat(completed(seconds)).isEqualTo(all - first);
        assertThat(completed(minutes)).isEqualTo(all);
        compare(simple);
        compare(prometheus);
        pool.shutdown();
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        for (MeterRegistry each : new MeterRegistry[] {composite, minutes, seconds, simple, prometheus}) {
            await().until(() -> each.find("executor.completed").meters().isEmpty()
                    && each.find("lifeguard.queue.wait").meters().isEmpty());
        }
    }

    @Test
    void values_twoRegistries_areTheSame() throws Exception {
        SimpleMeterRegistry one = new SimpleMeterRegistry();
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        metrics.bindTo(one);
        metrics.bindTo(other);
        work(40);
        compare(one);
        compare(other);
    }

    private static double completed(MeterRegistry registry) {
        return registry.get("executor.completed").functionCounter().count();
    }

    private static double waits(MeterRegistry registry) {
        return registry.get("lifeguard.queue.wait").functionTimer().count();
    }

    /** The pool is idle, so the values must agree exactly. */
    private void compare(MeterRegistry registry) {
        Freshness.end();
        PoolSnapshot now = pool.snapshot();
        assertThat(completed(registry)).isEqualTo(now.completed()).isPositive();
        assertThat(registry.get("lifeguard.submitted").functionCounter().count())
                .isEqualTo(now.submitted());
        assertThat(registry.get("lifeguard.caller.runs").functionCounter().count())
                .isEqualTo(now.callerRuns())
                .isPositive();
        assertThat(registry.get("lifeguard.failed").functionCounter().count())
                .isEqualTo(now.failed())
                .isPositive();
        for (PoolTime time : PoolTime.values()) {
            assertThat(registry.get(time.timer().name()).functionTimer().count())
                    .isEqualTo(time.of(now).count());
            assertThat(registry.get(time.timer().name()).functionTimer().totalTime(TimeUnit.NANOSECONDS))
                    .isCloseTo(time.of(now).total().toNanos(), within(1_000.0));
            assertThat(registry.get(time.timer().name() + ".seconds.max")
                            .gauge()
                            .value())
                    .isCloseTo(time.of(now).max().toNanos() / 1e9, within(1e-9));
        }
        assertThat(registry.get("executor.pool.size").gauge().value()).isEqualTo(2);
        assertThat(registry.get("executor.queue.remaining").gauge().value()).isEqualTo(1);
        assertThat(registry.get("lifeguard.switches")
                        .tag("kind", "voluntary")
                        .functionCounter()
                        .count())
                .isNotNegative();
        assertThat(registry.get("lifeguard.utilisation").gauge().value()).isBetween(0.0, 1.0);
        assertThat(registry.get("lifeguard.saturation").gauge().value()).isBetween(0.0, 1.0);
    }

    /** Submits tasks of which some wait, some are run by this thread and some fail. Returns when the pool is idle. */
    private void work(int tasks) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(tasks);
        IntStream.range(0, tasks)
                .forEach(i -> pool.submit(() -> {
                    try {
                        TimeUnit.MILLISECONDS.sleep(1); // the task's work: the queue of one place is full meanwhile
                        if (i % 5 == 0) {
                            throw new IllegalStateException("on purpose");
                        }
                    } finally {
                        ended.countDown();
                    }
                    return i;
                }));
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        await().until(() -> pool.snapshot().submitted() == pool.snapshot().completed()
                && pool.snapshot().active() == 0);
    }
}
