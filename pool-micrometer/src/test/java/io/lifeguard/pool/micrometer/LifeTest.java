package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters come with their pool and go with it. */
class LifeTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final InstrumentedPoolMetrics metrics =
            InstrumentedPoolMetrics.builder().standardTimersAfter(Duration.ZERO).build();

    @AfterEach
    void close() {
        metrics.close();
        await().until(() -> registry.getMeters().isEmpty());
    }

    @Test
    void meters_shutDown_stayUntilTheQueueIsEmptyAndTheLastWorkerHasGone() throws Exception {
        metrics.bindTo(registry);
        InstrumentedThreadPoolExecutor pool = pool("drained");
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            pool.submit(() -> go.await(1, TimeUnit.MINUTES));
        }
        int before = metersOf("drained").size();
        assertThat(before).as("what docs/meters.md says").isEqualTo(44);
        pool.shutdown();
        assertThat(metersOf("drained")).hasSize(before);
        assertThat(registry.get("executor.queued")
                        .tag("name", "drained")
                        .gauge()
                        .value())
                .isEqualTo(2);
        go.countDown();
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        await().until(() -> metersOf("drained").isEmpty());
        assertThat(registry.scrape()).doesNotContain("drained");
    }

    @Test
    void meters_everyKindOfPool_goWithIt() {
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
            assertThat(metersOf(name)).as(name).hasSizeGreaterThan(30);
            assertThat(registry.find("executor").tag("name", name).functionTimer())
                    .as(name)
                    .isNotNull();
            pool.submit(() -> {});
            assertThat(registry.scrape()).contains("lifeguard_submitted_tasks_total{name=\"" + name + "\"}");
            pool.shutdown();
            await().untilAsserted(() -> assertThat(metersOf(name)).as(name).isEmpty());
        }
    }

    @Test
    void meters_poolOfTheSameNameAgain_areThoseOfTheNewOne() throws Exception {
        metrics.bindTo(registry);
        for (int i = 1; i <= 3; i++) {
            InstrumentedThreadPoolExecutor pool = pool("again");
            for (int j = 0; j < i; j++) {
                pool.submit(() -> {}).get();
            }
            end(pool);
            await().until(() -> Pools.find("again").isEmpty());
            InstrumentedThreadPoolExecutor next = pool("again");
            assertThat(submitted("again")).isZero();
            end(next);
            await().until(() -> Pools.find("again").isEmpty());
        }
        await().until(() -> metersOf("again").isEmpty());
    }

    /** An observer that was there first makes the successor before the binder hears of the end. */
    @Test
    void meters_successorBornBeforeTheNewsOfTheEnd_areThoseOfTheSuccessor() throws Exception {
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
            assertThat(metersOf("heir")).isNotEmpty();
            await().untilAsserted(() -> assertThat(submitted("heir")).isEqualTo(1));
            end(successor.get());
        } finally {
            Pools.removeObserver(early);
        }
        await().until(() -> metersOf("heir").isEmpty());
    }

    @Test
    void bindTo_twiceByTwoBinders_hasTheMetersOnceUntilBothAreClosed() {
        InstrumentedThreadPoolExecutor pool = pool("twice");
        InstrumentedPoolMetrics other = new InstrumentedPoolMetrics(pool);
        metrics.bindTo(registry);
        int once = metersOf("twice").size();
        metrics.bindTo(registry);
        other.bindTo(registry);
        assertThat(metersOf("twice")).hasSize(once);
        assertThat(registry.scrape().lines().filter(line -> line.startsWith("executor_active_threads{name=\"twice\"")))
                .hasSize(1);
        other.close();
        assertThat(metersOf("twice")).hasSize(once);
        metrics.close();
        assertThat(metersOf("twice")).isEmpty();
        other.bindTo(registry);
        assertThat(metersOf("twice")).hasSize(once);
        end(pool);
        await().until(() -> metersOf("twice").isEmpty());
    }

    @Test
    void bindTo_terminatedPool_registersNothing() {
        InstrumentedThreadPoolExecutor pool = pool("late");
        end(pool);
        new InstrumentedPoolMetrics(pool).bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void pools_boundAndDropped_areCollectedAndTheirMetersGo() {
        metrics.bindTo(registry);
        WeakReference<Object> dropped = new WeakReference<>(pool("dropped"));
        assertThat(metersOf("dropped")).isNotEmpty();
        registry.scrape();
        await().until(() -> {
            System.gc();
            return dropped.get() == null;
        });
        registry.scrape(); // what is left of it harms nobody
        end(pool("next"));
        await().until(() -> metersOf("dropped").isEmpty());
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
    void filters_denyRenameAndTag_areObeyedAndWhatTheyMadeIsRemoved() {
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
        await().until(() -> metersOf("filtered").isEmpty());
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
            await().untilAsserted(() -> assertThat(submitted("lingering")).isEqualTo(1));
            await().until(() -> Pools.find("lingering").isEmpty());
            InstrumentedThreadPoolExecutor next = pool("lingering");
            assertThat(submitted("lingering")).isZero();
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
            assertThat(submitted("late-news")).isEqualTo(1);
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
            assertThat(metersOf("for-ever")).isNotEmpty();
            assertThat(registry.find("executor").meters()).isEmpty();
        }
    }

    @Test
    void filters_throwAtAMeter_costOnlyThatMeter() {
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
        assertThat(metersOf("before-the-filter")).hasSize(43);
        assertThat(registry.find("executor.queued").meters()).isEmpty();
        assertThat(registry.find("executor.parallelism").meters()).hasSize(1);
        assertThat(registry.find("executor").meters()).hasSize(2);
        end(pool);
        end(forkJoin);
    }

    @Test
    void keepAfterTermination_timeIsUp_removesThem() {
        try (InstrumentedPoolMetrics keeping = InstrumentedPoolMetrics.builder()
                .keepAfterTermination(Duration.ofMillis(50))
                .build()) {
            keeping.bindTo(registry);
            end(pool("brief"));
            await().until(() -> metersOf("brief").isEmpty());
        }
    }

    @Test
    void mostPools_morePools_areCountedAndTakeTheFreePlaces() {
        try (InstrumentedPoolMetrics few =
                InstrumentedPoolMetrics.builder().mostPools(2).build()) {
            await().until(() -> {
                System.gc(); // pools of other tests
                return Pools.live().isEmpty();
            });
            few.bindTo(registry);
            InstrumentedThreadPoolExecutor one = pool("one");
            InstrumentedThreadPoolExecutor two = pool("two");
            InstrumentedThreadPoolExecutor three = pool("three");
            assertThat(metersOf("three")).isEmpty();
            assertThat(pools("true")).isEqualTo(2);
            assertThat(pools("false")).isEqualTo(1);
            end(one);
            await().until(() -> !metersOf("three").isEmpty());
            assertThat(pools("false")).isZero();
            end(two);
            end(three);
        }
    }

    private double pools(String metered) {
        return registry.get("lifeguard.pools").tag("metered", metered).gauge().value();
    }

    /** A pool of a user's that throws when it is asked must not end a scrape. */
    @Test
    void gauges_snapshotThrows_areWithoutAValue() {
        InstrumentedThreadPoolExecutor sick =
                new InstrumentedThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                    @Override
                    public PoolSnapshot snapshot() {
                        throw new IllegalStateException("on purpose");
                    }
                };
        metrics.bindTo(registry);
        assertThat(registry.scrape()).contains("executor_active_threads{name=\"" + sick.name() + "\"} NaN");
        assertThat(registry.get("executor.completed")
                        .tag("name", sick.name())
                        .functionCounter()
                        .count())
                .isZero();
        end(sick);
    }

    private double submitted(String pool) {
        return registry.get("lifeguard.submitted")
                .tag("name", pool)
                .functionCounter()
                .count();
    }

    private List<Meter> metersOf(String pool) {
        return registry.getMeters().stream()
                .filter(meter -> pool.equals(meter.getId().getTag("name")))
                .toList();
    }

    private static InstrumentedThreadPoolExecutor pool(String name) {
        return InstrumentedThreadPoolExecutor.named(name).size(1).build();
    }

    private static void end(ExecutorService pool) {
        pool.shutdown();
        await().until(pool::isTerminated);
    }
}
