package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The request threads of Tomcat and Jetty have the meters of other pools, also after a restart. */
class RequestThreadMetersIT {

    private static final MeterRegistry[] REGISTRY = new MeterRegistry[1];

    @BeforeAll
    static void startMonitor() {
        assertThat(PoolMonitor.global()).isNotNull();
    }

    private static List<Gauge> gauges(String meter, String prefix) {
        return REGISTRY[0].find(meter).gauges().stream()
                .filter(gauge -> gauge.getId().getTag("name").startsWith(prefix))
                .toList();
    }

    private static void assertMetered(String prefix) {
        await().untilAsserted(() -> assertThat(gauges("executor.pool.size", prefix))
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.value()).isPositive()));
        for (String meter : List.of("executor.active", "executor.queued", "lifeguard.saturation")) {
            assertThat(gauges(meter, prefix))
                    .as(meter)
                    .singleElement()
                    .satisfies(gauge -> assertThat(gauge.value()).isNotNegative());
        }
        assertThat(gauges("lifeguard.saturation", prefix).get(0).value()).isLessThanOrEqualTo(1);
    }

    @Test
    void tomcat_startedAndRestarted_isMetered() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class, "server.tomcat.threads.max=28")) {
            app.get("/");
            assertMetered("http-nio-");
            assertThat(gauges("executor.pool.max", "http-nio-").get(0).value()).isEqualTo(28);
            app.restart();
            app.get("/");
            assertMetered("http-nio-");
        }
    }

    @Test
    void jetty_started_isMetered() throws Exception {
        try (WebApplication app = WebApplication.startWithout(
                List.of(
                        "org.apache.catalina",
                        "org.apache.coyote",
                        "org.apache.tomcat",
                        "org.springframework.security"),
                Application.class)) {
            app.get("/");
            assertMetered("jetty");
        }
    }

    /** The server of the management has a pool of the same name. */
    @Test
    void jetty_besideAManagementServer_isMetered() throws Exception {
        try (WebApplication app = WebApplication.startWithout(
                List.of(
                        "org.apache.catalina",
                        "org.apache.coyote",
                        "org.apache.tomcat",
                        "org.springframework.security"),
                Application.class,
                "server.jetty.threads.max=28",
                // Spring Boot 4 makes it although Tomcat is not there
                "spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server"
                        + ".TomcatServletManagementContextAutoConfiguration",
                "management.server.port=0")) {
            app.get("/");
            assertMetered("jetty");
            assertThat(gauges("executor.pool.max", "jetty").get(0).value())
                    .as("28 without those that accept and select")
                    .isBetween(20.0, 28.0);
        }
    }

    @Test
    void tomcat_watchingSwitchedOff_isNotMetered() {
        try (WebApplication app = WebApplication.start(Application.class, "lifeguard.watch.web-server=false")) {
            assertThat(app.port()).isPositive();
            assertThat(gauges("executor.pool.size", "http-nio-")).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        SimpleMeterRegistry registry() {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            REGISTRY[0] = registry;
            return registry;
        }
    }
}
