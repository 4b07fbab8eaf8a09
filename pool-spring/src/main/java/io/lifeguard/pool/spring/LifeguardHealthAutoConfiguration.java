package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.ConditionalOnSwitch;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the health contributor {@code threadpools} if it is switched on. Boot's health types have moved from 3.5 to 4,
 * so there are two nested configurations. The one whose type exists is used.
 */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch(value = "management.health.threadpools.enabled", matchIfMissing = false)
public final class LifeguardHealthAutoConfiguration {

    /** Made by the container. */
    public LifeguardHealthAutoConfiguration() {}

    /** Returns the findings that change the status. */
    private static List<Finding> severe(LifeguardProperties properties) {
        return GlobalMonitor.findings().stream()
                .filter(finding ->
                        finding.severity().compareTo(properties.health().severity()) >= 0)
                .toList();
    }

    private static String status(List<Finding> severe, LifeguardProperties properties) {
        return severe.isEmpty() ? "UP" : properties.health().status();
    }

    /** Returns the ids of the findings, by pool. */
    private static Map<String, String> details(List<Finding> findings) {
        Map<String, String> details = new LinkedHashMap<>();
        findings.forEach(
                finding -> details.merge(finding.pool(), finding.id(), (first, second) -> first + ", " + second));
        return details;
    }

    /** Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {
        @Bean
        @ConditionalOnMissingBean(name = "threadpoolsHealthIndicator")
        org.springframework.boot.actuate.health.HealthIndicator threadpoolsHealthIndicator(
                LifeguardProperties properties) {
            return () -> {
                List<Finding> severe = severe(properties);
                return org.springframework.boot.actuate.health.Health.status(status(severe, properties))
                        .withDetails(details(severe))
                        .build();
            };
        }
    }

    /** Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {
        @Bean
        @ConditionalOnMissingBean(name = "threadpoolsHealthIndicator")
        org.springframework.boot.health.contributor.HealthIndicator threadpoolsHealthIndicator(
                LifeguardProperties properties) {
            return () -> {
                List<Finding> severe = severe(properties);
                return org.springframework.boot.health.contributor.Health.status(status(severe, properties))
                        .withDetails(details(severe))
                        .build();
            };
        }
    }
}
