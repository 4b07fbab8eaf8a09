package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** With lazy initialization, rules and servers are known at the start, and no executor is made too early. */
class LazyInitializationIT {

    @Test
    void start_allBeansLazy_passesRulesWatchesServerAndMakesNoPool() throws Exception {
        try (WebApplication app = WebApplication.start(
                Application.class,
                "spring.main.lazy-initialization=true",
                "management.endpoints.web.exposure.include=*",
                "server.tomcat.threads.max=28",
                "lifeguard.window=25ms",
                "lifeguard.pools.lazybones.size=1")) {
            assertThat(app.context.getBeanFactory().containsSingleton("lazybones"))
                    .isFalse();
            assertThat(app.context.getBeanFactory().containsSingleton("lazyUsers"))
                    .isFalse();
            await().until(() -> PoolMonitor.global().window().equals(Duration.ofMillis(25)));
            await().untilAsserted(() -> assertThat(app.manage("/threadpools").body())
                    .containsPattern("\"name\":\"http-nio-[^\"]*\",\"kind\":\"watched\",[^}]*\"maximumSize\":28,")
                    .doesNotContain("lazybones", "lazyUsers"));

            app.context
                    .getBean("lazybones", ExecutorService.class)
                    .submit(() -> {})
                    .get(10, TimeUnit.SECONDS);
            app.context.getBean("lazyUsers");

            await().untilAsserted(() -> assertThat(app.manage("/threadpools").body())
                    .contains("\"name\":\"lazybones\",\"kind\":\"instrumented\"", "\"name\":\"lazyUsers\""));
            await().untilAsserted(() -> assertThat(app.manage("/metrics/lifeguard.submitted?tag=name:lazybones")
                            .body())
                    .contains("\"value\":1.0"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean(defaultCandidate = false)
        ExecutorService lazyUsers() {
            return Executors.newFixedThreadPool(1);
        }
    }
}
