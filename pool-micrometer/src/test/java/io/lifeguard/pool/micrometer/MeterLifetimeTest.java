package io.lifeguard.pool.micrometer;

import static io.lifeguard.pool.micrometer.MeteredPools.end;
import static io.lifeguard.pool.micrometer.MeteredPools.metersOf;
import static io.lifeguard.pool.micrometer.MeteredPools.pool;
import static io.lifeguard.pool.micrometer.MeteredPools.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.Pools;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A pool's meters are registered with the pool and removed when it has terminated. */
class MeterLifetimeTest {

    @AutoClose
    private final PrometheusMeters meters = new PrometheusMeters();

    private final PrometheusMeterRegistry registry = meters.registry;
    private final InstrumentedPoolMetrics metrics = meters.metrics;

    @Test
    void meters_shutDown_stayUntilTheQueueIsEmptyAndTheLastWorkerHasGone() throws Exception {
        metrics.bindTo(registry);
        InstrumentedThreadPoolExecutor pool = pool("drained");
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            pool.submit(() -> go.await(1, TimeUnit.MINUTES));
        }
        int before = metersOf(registry, "drained").size();
        assertThat(before).as("what docs/meters.md says").isEqualTo(44);
        pool.shutdown();
        assertThat(metersOf(registry, "drained")).hasSize(before);
        assertThat(registry.get("executor.queued")
                        .tag("name", "drained")
                        .gauge()
                        .value())
                .isEqualTo(2);
        go.countDown();
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        await().until(() -> metersOf(registry, "drained").isEmpty());
        assertThat(registry.scrape()).doesNotContain("drained");
    }

    @Test
    void meters_everyKindOfPool_areRemovedWhenItTerminates() {
        metrics.bindTo(registry);
        List<ExecutorService> pools = new ArrayList<>(List.of(
                InstrumentedExecutors.newFixedThreadPool("kind-fixed", 1),
                InstrumentedExecutors.newSingleThreadExecutor("kind-single"),
                InstrumentedExecutors.newScheduledThreadPool("kind-scheduled", 1),
                InstrumentedExecutors.newSingleThreadScheduledExecutor("kind-single-scheduled"),
                InstrumentedExecutors.newWorkStealingPool("kind-stealing", 1)));
        if (Runtime.version().feature() >= 21) {
            pools.add(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("kind-virtual"));
        }
        for (ExecutorService pool : pools) {
            String name = ((InstrumentedPool) pool).name();
            assertThat(metersOf(registry, name)).as(name).hasSizeGreaterThan(30);
            assertThat(registry.find("executor").tag("name", name).functionTimer())
                    .as(name)
                    .isNotNull();
            pool.submit(() -> {});
            assertThat(registry.scrape()).contains("lifeguard_submitted_tasks_total{name=\"" + name + "\"}");
            pool.shutdown();
            await().untilAsserted(
                            () -> assertThat(metersOf(registry, name)).as(name).isEmpty());
        }
    }

    @Test
    void meters_newPoolOfTheSameName_areThoseOfTheNewPool() throws Exception {
        metrics.bindTo(registry);
        for (int i = 1; i <= 3; i++) {
            InstrumentedThreadPoolExecutor pool = pool("again");
            for (int j = 0; j < i; j++) {
                pool.submit(() -> {}).get();
            }
            end(pool);
            await().until(() -> Pools.find("again").isEmpty());
            InstrumentedThreadPoolExecutor next = pool("again");
            assertThat(submitted(registry, "again")).isZero();
            end(next);
            await().until(() -> Pools.find("again").isEmpty());
        }
        await().until(() -> metersOf(registry, "again").isEmpty());
    }

    /**
     * Forced interleaving: an observer that was added first creates the successor before the binder hears of the end.
     */
    @Test
    void meters_successorCreatedBeforeTheEndIsReported_areThoseOfTheSuccessor() throws Exception {
        AtomicReference<InstrumentedThreadPoolExecutor> successor = new AtomicReference<>();
        PoolObserver early = new PoolObserver() {
            @Override
            public void terminated(InstrumentedPool pool) {
                if (pool.name().equals("heir") && successor.get() == null) {
                    successor.set(pool("heir"));
                }
            }
        };
        Pools.addObserver(early);
        try {
            metrics.bindTo(registry);
            InstrumentedThreadPoolExecutor first = pool("heir");
            first.submit(() -> {}).get();
            end(first);
            await().until(() -> successor.get() != null);
            assertThat(successor.get().name()).isEqualTo("heir");
            successor.get().submit(() -> {}).get();
            assertThat(metersOf(registry, "heir")).isNotEmpty();
            await().untilAsserted(() -> assertThat(submitted(registry, "heir")).isEqualTo(1));
            end(successor.get());
        } finally {
            Pools.removeObserver(early);
        }
        await().until(() -> metersOf(registry, "heir").isEmpty());
    }

    @Test
    void bindTo_twiceByTwoBinders_hasTheMetersOnceUntilBothAreClosed() {
        InstrumentedThreadPoolExecutor pool = pool("twice");
        InstrumentedPoolMetrics other = new InstrumentedPoolMetrics(pool);
        metrics.bindTo(registry);
        int once = metersOf(registry, "twice").size();
        metrics.bindTo(registry);
        other.bindTo(registry);
        assertThat(metersOf(registry, "twice")).hasSize(once);
        assertThat(registry.scrape().lines().filter(line -> line.startsWith("executor_active_threads{name=\"twice\"")))
                .hasSize(1);
        other.close();
        assertThat(metersOf(registry, "twice")).hasSize(once);
        metrics.close();
        assertThat(metersOf(registry, "twice")).isEmpty();
        other.bindTo(registry);
        assertThat(metersOf(registry, "twice")).hasSize(once);
        end(pool);
        await().until(() -> metersOf(registry, "twice").isEmpty());
    }

    @Test
    void close_firstOfTwoBinders_leavesTheMetersToTheSecond() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool("shared");
        metrics.bindTo(registry);
        int once = metersOf(registry, "shared").size();
        try (InstrumentedPoolMetrics second = new InstrumentedPoolMetrics(pool)) {
            second.bindTo(registry);
            metrics.close();
            assertThat(metersOf(registry, "shared")).hasSize(once);
            pool.submit(() -> {}).get();
            await().untilAsserted(
                            () -> assertThat(submitted(registry, "shared")).isEqualTo(1));
        }
        assertThat(registry.getMeters()).isEmpty();
        end(pool);
    }

    @Test
    void bindTo_terminatedPool_registersNothing() {
        InstrumentedThreadPoolExecutor pool = pool("late");
        end(pool);
        new InstrumentedPoolMetrics(pool).bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void pools_boundAndDropped_areCollectedAndTheirMetersAreRemoved() {
        metrics.bindTo(registry);
        WeakReference<Object> dropped = new WeakReference<>(pool("dropped"));
        assertThat(metersOf(registry, "dropped")).isNotEmpty();
        registry.scrape();
        await().until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        registry.scrape(); // the meters of a collected pool can still be read
        end(pool("next"));
        await().until(() -> metersOf(registry, "dropped").isEmpty());
    }

    @Test
    void registries_boundAndDropped_areCollected() {
        InstrumentedThreadPoolExecutor pool = pool("stays");
        MeterRegistry simple = new SimpleMeterRegistry();
        metrics.bindTo(simple);
        simple.getMeters().forEach(meter -> meter.measure().forEach(each -> each.getValue()));
        WeakReference<Object> dropped = new WeakReference<>(simple);
        simple = null;
        await().until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        end(pool);
    }

    @Test
    void binder_boundAndDropped_needNotBeKept() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool("kept");
        new InstrumentedPoolMetrics(pool).bindTo(registry);
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.get() == null;
        });
        pool.submit(() -> {}).get();
        await().untilAsserted(() -> assertThat(
                        registry.get("lifeguard.submitted").functionCounter().count())
                .isEqualTo(1));
        assertThat(registry.get("executor.pool.core").gauge().value()).isEqualTo(1);
        end(pool);
    }

    @Test
    void mostPools_morePools_areCountedAndTakeTheFreePlaces() {
        try (InstrumentedPoolMetrics few =
                InstrumentedPoolMetrics.builder().mostPools(2).build()) {
            await().until(() -> {
                System.gc(); // collects pools of other tests
                return Pools.live().isEmpty();
            });
            few.bindTo(registry);
            InstrumentedThreadPoolExecutor one = pool("one");
            InstrumentedThreadPoolExecutor two = pool("two");
            InstrumentedThreadPoolExecutor three = pool("three");
            assertThat(metersOf(registry, "three")).isEmpty();
            assertThat(pools("true")).isEqualTo(2);
            assertThat(pools("false")).isEqualTo(1);
            end(one);
            await().until(() -> !metersOf(registry, "three").isEmpty());
            assertThat(pools("false")).isZero();
            end(two);
            end(three);
        }
    }

    private double pools(String metered) {
        return registry.get("lifeguard.pools").tag("metered", metered).gauge().value();
    }
}
