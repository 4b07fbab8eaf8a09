package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** OpenTelemetry's names are there on request only, and say what the pool says. */
class OpenTelemetryNamesTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private Set<String> names() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.startsWith("jvm."))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static InstrumentedPoolMetrics binder(InstrumentedPool pool) {
        return InstrumentedPoolMetrics.builder()
                .pool(pool)
                .openTelemetryNames()
                .withoutFindings()
                .build();
    }

    private double value(String meter, String... tags) {
        return registry.get(meter)
                .tags(tags)
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    @Test
    void bindTo_default_hasNoneOfTheNames() {
        try (InstrumentedPoolMetrics metrics =
                InstrumentedPoolMetrics.builder().withoutFindings().build()) {
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("orders").size(1).build();
            metrics.bindTo(registry);
            assertThat(registry.find(MeterRow.ACTIVE.name()).meter()).isNotNull();
            assertThat(names()).isEmpty();
            pool.shutdownNow();
        }
    }

    @Test
    void bindTo_boundedPool_saysWhatThePoolSays() throws Exception {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(2)
                .queueCapacity(1)
                .whenSaturated(new ThreadPoolExecutor.AbortPolicy())
                .build();
        CountDownLatch end = new CountDownLatch(1);
        try (InstrumentedPoolMetrics metrics = binder(pool)) {
            metrics.bindTo(registry);
            pool.submit(() -> {}).get();
            await().until(() -> pool.snapshot().completed() == 1);
            Runnable wait = () -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            pool.execute(wait);
            pool.execute(wait);
            await().until(() -> pool.getActiveCount() == 2 && pool.getQueue().isEmpty());
            pool.execute(wait); // waits in the queue
            assertThatThrownBy(() -> pool.execute(wait)).isInstanceOf(RejectedExecutionException.class);
            await().untilAsserted(() -> {
                assertThat(value(MeterRow.OTEL_THREADS.name(), "jvm.executor.thread.state", "active"))
                        .isEqualTo(2);
                assertThat(value(MeterRow.OTEL_REJECTED.name())).isEqualTo(1);
                assertThat(value(MeterRow.OTEL_COMPLETED.name())).isEqualTo(1); // counted after its future is done
            });
            assertThat(value(MeterRow.OTEL_THREADS.name(), "jvm.executor.thread.state", "idle"))
                    .isZero();
            assertThat(value(MeterRow.OTEL_CORE.name())).isEqualTo(2);
            assertThat(value(MeterRow.OTEL_LIMIT.name())).isEqualTo(2);
            assertThat(value(MeterRow.OTEL_QUEUE_SIZE.name())).isEqualTo(1);
            assertThat(value(MeterRow.OTEL_CAPACITY.name())).isEqualTo(1);
            Meter.Id id = registry.get(MeterRow.OTEL_CORE.name()).meter().getId();
            assertThat(id.getTag("jvm.executor.name")).isEqualTo("orders");
            assertThat(id.getTag("jvm.executor.type")).isEqualTo(InstrumentedThreadPoolExecutor.class.getName());
            assertThat(id.getTag("name")).isNull();
            assertThat(id.getBaseUnit()).isNull();
        } finally {
            end.countDown();
            pool.shutdownNow();
        }
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        await().untilAsserted(() -> assertThat(names()).isEmpty());
    }

    @Test
    void bindTo_unboundedPool_hasNeitherLimitNorCapacity() {
        InstrumentedThreadPoolExecutor pool = new InstrumentedThreadPoolExecutor(
                1, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (InstrumentedPoolMetrics metrics = binder(pool)) {
            metrics.bindTo(registry);
            assertThat(value(MeterRow.OTEL_QUEUE_SIZE.name())).isZero();
            assertThat(names()).doesNotContain(MeterRow.OTEL_LIMIT.name(), MeterRow.OTEL_CAPACITY.name());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void bindTo_forkJoinPool_hasThreadsQueueAndCounts() {
        ExecutorService pool = InstrumentedExecutors.newWorkStealingPool(2);
        try (InstrumentedPoolMetrics metrics = binder((InstrumentedPool) pool)) {
            metrics.bindTo(registry);
            assertThat(names())
                    .containsExactly(
                            MeterRow.OTEL_QUEUE_SIZE.name(),
                            MeterRow.OTEL_COMPLETED.name(),
                            MeterRow.OTEL_REJECTED.name(),
                            MeterRow.OTEL_THREADS.name());
        } finally {
            pool.shutdownNow();
        }
    }
}
