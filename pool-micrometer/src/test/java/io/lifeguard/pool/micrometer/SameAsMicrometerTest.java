package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares Lifeguard's meters of an instrumented pool with Micrometer's own meters of a JDK pool. */
class SameAsMicrometerTest {

    private static final Set<String> BEYOND = Set.of("executor.seconds.max", "executor.idle.seconds.max");

    @Test
    void bindTo_threadPool_hasMicrometersMetersWithTheSameTypesUnitsAndTags() {
        compare(
                new ThreadPoolExecutor(3, 5, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(7)),
                new InstrumentedThreadPoolExecutor(3, 5, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(7)));
    }

    @Test
    void bindTo_scheduledPool_hasMicrometersMetersWithTheSameTypesUnitsAndTags() {
        compare(new ScheduledThreadPoolExecutor(2), new InstrumentedScheduledThreadPoolExecutor(2));
    }

    @Test
    void bindTo_forkJoinPool_hasMicrometersMetersWithTheSameTypesUnitsAndTags() {
        SimpleMeterRegistry micrometer = new SimpleMeterRegistry();
        SimpleMeterRegistry lifeguard = new SimpleMeterRegistry();
        ForkJoinPool plain = new ForkJoinPool(2);
        ExecutorService pool = InstrumentedExecutors.newWorkStealingPool(2);
        try {
            ExecutorServiceMetrics.monitor(micrometer, plain, "pool");
            new InstrumentedPoolMetrics((InstrumentedPool) pool).bindTo(lifeguard);
            assertThat(standard(lifeguard)).containsAll(withoutNew(standard(micrometer)));
            assertThat(names(lifeguard)).containsAll(withoutNewNames(names(micrometer)));
        } finally {
            plain.shutdownNow();
            pool.shutdownNow();
        }
    }

    /** Java 25 has one more, which Micrometer finds by reflection. */
    private static Set<Shape> withoutNew(Set<Shape> shapes) {
        return shapes.stream()
                .filter(shape -> !shape.name().equals("executor.delayed"))
                .collect(Collectors.toSet());
    }

    private static Set<String> withoutNewNames(Set<String> names) {
        Set<String> without = new TreeSet<>(names);
        without.remove("executor.delayed");
        return without;
    }

    private static void compare(ThreadPoolExecutor plain, ThreadPoolExecutor pool) {
        try {
            assertThat(meters(new SimpleMeterRegistry(), pool)).isEqualTo(meters(new SimpleMeterRegistry(), plain));
            assertThat(series(pool)).isEqualTo(series(plain));
        } finally {
            plain.shutdownNow();
            pool.shutdownNow();
        }
    }

    private static Set<Shape> meters(MeterRegistry registry, ThreadPoolExecutor pool) {
        bind(registry, pool);
        return standard(registry);
    }

    /** Names and labels in what Prometheus scrapes, without the values. */
    private static Set<String> series(ThreadPoolExecutor pool) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        bind(registry, pool);
        return Arrays.stream(registry.scrape().split("\n"))
                .filter(line -> line.startsWith("executor_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')).replaceAll("name=\"[^\"]*\"", "name"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void bind(MeterRegistry registry, ThreadPoolExecutor pool) {
        if (pool instanceof InstrumentedPool lifeguard) {
            new InstrumentedPoolMetrics(lifeguard).bindTo(registry);
        } else {
            monitored(registry, pool);
        }
    }

    private static void monitored(MeterRegistry registry, ThreadPoolExecutor pool) {
        if (pool instanceof ScheduledThreadPoolExecutor scheduled) {
            ExecutorServiceMetrics.monitor(registry, scheduled, "pool");
        } else {
            ExecutorServiceMetrics.monitor(registry, pool, "pool");
        }
    }

    private static Set<Shape> standard(MeterRegistry registry) {
        return Shape.in(registry, SameAsMicrometerTest::isStandard);
    }

    private static Set<String> names(MeterRegistry registry) {
        return standard(registry).stream().map(Shape::name).collect(Collectors.toSet());
    }

    private static boolean isStandard(Meter.Id id) {
        return (id.getName().equals("executor") || id.getName().startsWith("executor."))
                && !BEYOND.contains(id.getName());
    }
}
