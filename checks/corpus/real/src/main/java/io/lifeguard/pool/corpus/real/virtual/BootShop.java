package io.lifeguard.pool.corpus.real.virtual;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application of Spring Boot 4.1 with {@code spring.threads.virtual.enabled=true}. */
final class BootShop {

    private static final long RATE_MILLIS = 2_000;

    private BootShop() {}

    static void start(VirtualStage stage) {
        start(stage, 100, 0, "/rate");
    }

    static void start(VirtualStage stage, int clients, double pauseMillis, String path) {
        SpringApplication application = new SpringApplication(Shop.class, RateController.class);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "localhost",
                "spring.threads.virtual.enabled", "true",
                "spring.main.banner-mode", "off",
                "logging.level.root", "warn"));
        application.addInitializers(context -> {
            if (stage.isInstrumented()) {
                Executor executor = stage.executor("tomcat");
                context.getBeanFactory().registerSingleton("requests", executor);
            }
        });
        var context = (WebServerApplicationContext) stage.keep(application.run());
        stage.clients(
                clients,
                pauseMillis,
                Objects.requireNonNull(context.getWebServer()).getPort(),
                path);
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        MeasuredRequests measuredRequests(ObjectProvider<Executor> requests) {
            return new MeasuredRequests(requests);
        }
    }

    /** Replaces Boot's own executor of requests, if there is a measured one, after Boot has set it. */
    private record MeasuredRequests(ObjectProvider<Executor> requests)
            implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public void customize(ConfigurableTomcatWebServerFactory factory) {
            requests.ifAvailable(
                    executor -> factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(executor)));
        }
    }

    /** A controller. */
    @RestController
    static class RateController {
        private final ConcurrentMap<Long, String> rates = new ConcurrentHashMap<>();

        @GetMapping("/rate")
        String rate() {
            long now = System.nanoTime() / (RATE_MILLIS * 1_000_000);
            rates.keySet().removeIf(time -> time < now - 1);
            return rates.computeIfAbsent(now, time -> load());
        }

        @GetMapping("/price")
        String price() {
            return new String(VirtualStage.call(20), StandardCharsets.US_ASCII);
        }

        private static String load() {
            return new String(VirtualStage.call((int) RATE_MILLIS), StandardCharsets.US_ASCII);
        }
    }
}
