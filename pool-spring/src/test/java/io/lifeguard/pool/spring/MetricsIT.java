package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Meters are bound to Boot's registry once. Boot's own meters neither vanish nor double. */
class MetricsIT {

    /** The first application of a process gets its meters a moment after its start, together with the monitor. */
    @BeforeAll
    static void startMonitor() {
        assertThat(PoolMonitor.global()).isNotNull();
    }

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.jmx.enabled=false",
                        "spring.main.banner-mode=off",
                        "management.defaults.metrics.export.enabled=false",
                        "management.simple.metrics.export.enabled=true")
                .properties(properties)
                .run();
    }

    private static List<String> ids(MeterRegistry registry, String prefix) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith(prefix))
                .map(id -> id.getName() + id.getTags())
                .sorted()
                .toList();
    }

    @Test
    void bootsSeries_applicationTaskExecutor_existOnceBesideLifeguards() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                    .submit(() -> {})
                    .get(10, TimeUnit.SECONDS);
            String pool = ((InstrumentedThreadPoolExecutor)
                            context.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)
                                    .getThreadPoolExecutor())
                    .name();

            assertThat(registry.get("executor.pool.core")
                            .tag("name", "applicationTaskExecutor")
                            .gauges())
                    .hasSize(1)
                    .first()
                    .extracting(Gauge::value)
                    .isEqualTo(8.0);
            assertThat(registry.get("lifeguard.service.time").tag("name", pool).meters())
                    .hasSize(1);
            await().untilAsserted(() -> assertThat(registry.get("lifeguard.queue.wait")
                            .tag("name", pool)
                            .functionTimer()
                            .count())
                    .isEqualTo(1.0));
        }
    }

    /** All series that Boot 3.5 and 4 publish of executors without Lifeguard are published with it. */
    @Test
    void bootsSeries_withLifeguard_containAllSeriesWithout() {
        List<String> without;
        try (ConfigurableApplicationContext context = start("lifeguard.enabled=false")) {
            without = ids(context.getBean(MeterRegistry.class), "executor");
        }
        try (ConfigurableApplicationContext context = start()) {
            assertThat(without).isNotEmpty();
            assertThat(ids(context.getBean(MeterRegistry.class), "executor"))
                    .containsAll(without)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void executorServiceBean_ofTheApplication_hasMicrometersSeries() {
        try (ConfigurableApplicationContext context = start()) {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("executor.pool.max")
                            .tag("name", "rawMetered")
                            .gauge()
                            .value())
                    .isEqualTo(2.0);
        }
    }

    @Test
    void poolMadeByCode_afterStart_isMeteredUntilTheContextCloses() throws Exception {
        MeterRegistry registry;
        InstrumentedThreadPoolExecutor pool;
        try (ConfigurableApplicationContext context = start()) {
            registry = context.getBean(MeterRegistry.class);
            pool = InstrumentedThreadPoolExecutor.named("made-later").size(1).build();
            pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
            assertThat(registry.get("lifeguard.submitted")
                            .tag("name", pool.name())
                            .functionCounter()
                            .count())
                    .isEqualTo(1.0);
        }
        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getTag("name"))
                        .collect(Collectors.toSet()))
                .doesNotContain(pool.name());
        pool.shutdown();
    }

    @Test
    void metrics_switchedOff_areBootsOnly() {
        try (ConfigurableApplicationContext context = start("lifeguard.metrics.enabled=false")) {
            assertThat(ids(context.getBean(MeterRegistry.class), "lifeguard")).isEmpty();
            assertThat(ids(context.getBean(MeterRegistry.class), "executor")).isNotEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        SimpleMeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean(defaultCandidate = false)
        ExecutorService rawMetered() {
            return Executors.newFixedThreadPool(2);
        }
    }
}
