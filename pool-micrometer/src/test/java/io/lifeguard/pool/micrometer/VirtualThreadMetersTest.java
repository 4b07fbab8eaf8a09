package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Meters of virtual threads: few, whatever the number of threads and places. */
class VirtualThreadMetersTest {

    private static final int THREADS = 40;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static void acquire(Semaphore permits) {
        permits.acquireUninterruptibly();
    }

    private double value(String meter) {
        Gauge gauge = registry.find(meter).gauge();
        return gauge == null ? Double.NaN : gauge.value();
    }

    @Test
    void meters_threadsWaitForPermits_countThemByPlace() {
        assumeTrue(VirtualThreadMeters.exist(), "virtual threads need Java 21");
        Semaphore permits = new Semaphore(0);
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("requests");
        try (PoolMonitor monitor =
                        PoolMonitor.builder().window(Duration.ofMillis(300)).build();
                InstrumentedPoolMetrics metrics =
                        InstrumentedPoolMetrics.builder().monitor(monitor).build()) {
            for (int i = 0; i < THREADS; i++) {
                executor.execute(() -> acquire(permits));
            }
            metrics.bindTo(registry);
            await().until(() -> value(MeterRow.VIRTUAL_LIVE.name()) == THREADS);
            await().until(() -> {
                value(MeterRow.VIRTUAL_LIVE.name()); // a read registers the places
                return value(MeterRow.VIRTUAL_WAITING.name()) == THREADS;
            });
            Meter.Id id = registry.get(MeterRow.VIRTUAL_WAITING.name()).meter().getId();
            assertThat(id.getTag(MeterRow.TAG_NAME)).isEqualTo("requests");
            assertThat(id.getTag(MeterRow.TAG_KIND)).isEqualTo("permit");
            assertThat(id.getTag(MeterRow.TAG_PLACE)).contains("VirtualThreadMetersTest.acquire(");
            assertThat(value(MeterRow.VIRTUAL_CARRIERS.name())).isPositive();
            assertThat(Double.isNaN(value(MeterRow.VIRTUAL_QUEUED.name())))
                    .as("the JVM tells from Java 24 on")
                    .isEqualTo(Runtime.version().feature() < 24);
            permits.release(THREADS);
            await().until(() -> value(MeterRow.VIRTUAL_WAITING.name()) == 0);
            metrics.close();
            assertThat(meters()).isEmpty();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void meters_beforeJava21_areNone() {
        assumeTrue(!VirtualThreadMeters.exist(), "this JVM has virtual threads");
        try (InstrumentedPoolMetrics metrics = new InstrumentedPoolMetrics()) {
            metrics.bindTo(registry);
            assertThat(meters()).isEmpty();
        }
    }

    private List<Meter> meters() {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("lifeguard.virtual."))
                .toList();
    }
}
