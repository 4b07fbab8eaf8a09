package io.lifeguard.pool.micrometer;

import static io.lifeguard.pool.micrometer.MeteredPools.end;
import static io.lifeguard.pool.micrometer.MeteredPools.metersOf;
import static io.lifeguard.pool.micrometer.MeteredPools.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Meter filters and pools of users are obeyed, and their failures are contained. */
class UsersCodeTest {

    @AutoClose
    private final PrometheusMeters meters = new PrometheusMeters();

    private final PrometheusMeterRegistry registry = meters.registry;
    private final InstrumentedPoolMetrics metrics = meters.metrics;

    @Test
    void filters_denyRenameAndTag_areObeyedAndTheirMetersRemoved() {
        registry.config()
                .commonTags("application", "shop")
                .meterFilter(MeterFilter.denyNameStartsWith("our.lifeguard.cpu"))
                .meterFilter(new MeterFilter() {
                    @Override
                    public Meter.Id map(Meter.Id id) {
                        return id.withName("our." + id.getName());
                    }
                });
        metrics.bindTo(registry);
        InstrumentedThreadPoolExecutor pool = pool("filtered");
        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
                .allMatch(name -> name.startsWith("our."))
                .noneMatch(name -> name.contains("cpu.time"));
        assertThat(registry.scrape())
                .contains("our_executor_active_threads{application=\"shop\",name=\"filtered\"} 0.0");
        end(pool);
        await().until(() -> metersOf(registry, "filtered").isEmpty());
    }

    @Test
    void filters_throwForOneMeter_loseOnlyThatMeter() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("executor.queued")) {
                    throw new IllegalStateException("on purpose");
                }
                return id;
            }
        });
        InstrumentedThreadPoolExecutor pool = pool("before-the-filter");
        ExecutorService forkJoin = InstrumentedExecutors.newWorkStealingPool("stealing-before-the-filter", 1);
        metrics.bindTo(registry);
        assertThat(metersOf(registry, "before-the-filter")).hasSize(43);
        assertThat(registry.find("executor.queued").meters()).isEmpty();
        assertThat(registry.find("executor.parallelism").meters()).hasSize(1);
        assertThat(registry.find("executor").meters()).hasSize(2);
        end(pool);
        end(forkJoin);
    }

    /** A user's pool whose snapshot throws must not end a scrape. */
    @Test
    void gauges_snapshotThrows_areNaN() {
        InstrumentedThreadPoolExecutor failing =
                new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                    @Override
                    public PoolSnapshot snapshot() {
                        throw new AssertionError("on purpose");
                    }
                };
        metrics.bindTo(registry);
        assertThat(registry.scrape()).contains("executor_active_threads{name=\"" + failing.name() + "\"} NaN");
        assertThat(registry.get("executor.completed")
                        .tag("name", failing.name())
                        .functionCounter()
                        .count())
                .isZero();
        end(failing);
    }
}
