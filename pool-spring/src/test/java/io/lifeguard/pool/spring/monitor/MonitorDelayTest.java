package io.lifeguard.pool.spring.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The monitor starts after the application, and knows all earlier requests. Runs in a new process, which has no monitor
 * yet.
 */
class MonitorDelayTest {

    @Test
    void monitor_startingApplication_startsAfterwards() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", // it lives for seconds
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectErrorStream(true)
                .start();
        try (var in = process.getInputStream()) {
            assertThat(new String(in.readAllBytes()))
                    .contains("while it starts: false")
                    .contains("then: [20ms, both pools, meters]");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The application, without R2DBC, which would need a driver. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration")
    static class Main {

        @Bean
        ThreadPoolExecutor external() {
            return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Bean
        SimpleMeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        SmartInitializingSingleton last() {
            return () -> System.out.println("while it starts: " + isOnDuty());
        }

        private static boolean isOnDuty() {
            return Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("lifeguard-monitor"));
        }

        public static void main(String[] arguments) {
            try (var context = new SpringApplicationBuilder(Main.class)
                    .web(WebApplicationType.NONE)
                    .properties("lifeguard.window=20ms", "lifeguard.pools.declared.size=1")
                    .run()) {
                await().until(Main::isOnDuty); // only the delayed start asks for it
                await().until(() -> PoolMonitor.global().window().equals(Duration.ofMillis(20)));
                await().until(() -> PoolMonitor.global().pools().stream()
                        .map(InstrumentedPool::name)
                        .toList()
                        .containsAll(List.of("declared", "external")));
                MeterRegistry registry = context.getBean(MeterRegistry.class);
                await().until(() -> !registry.find("lifeguard.saturation")
                        .tag("name", "declared")
                        .gauges()
                        .isEmpty());
                System.out.println("then: [20ms, both pools, meters]");
            }
        }
    }
}
