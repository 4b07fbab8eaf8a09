package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.endpoint.ThreadPoolReportEndpoint;
import io.lifeguard.pool.spring.endpoint.ThreadPoolsEndpoint;
import io.lifeguard.pool.spring.endpoint.ThreadPoolsWebExtension;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds the actuator endpoints {@code threadpools} and {@code threadpoolreport} if they are exposed. */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
            "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint"
        })
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
public final class LifeguardEndpointAutoConfiguration {

    /** Made by the container. */
    public LifeguardEndpointAutoConfiguration() {}

    /** Nested, because its condition names a class that may be absent. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(ThreadPoolsEndpoint.class)
    static class Exposed {
        @Bean
        @ConditionalOnMissingBean
        ThreadPoolsEndpoint lifeguardThreadPoolsEndpoint(
                LifeguardProperties properties, UnseenExecutors unseen, ApplicationEventPublisher events) {
            return new ThreadPoolsEndpoint(properties.endpoint(), unseen, events);
        }

        @Bean
        @ConditionalOnMissingBean
        ThreadPoolsWebExtension lifeguardThreadPoolsWebExtension(ThreadPoolsEndpoint endpoint) {
            return new ThreadPoolsWebExtension(endpoint);
        }
    }

    /** As above, for the other endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(ThreadPoolReportEndpoint.class)
    static class ReportExposed {
        @Bean
        @ConditionalOnMissingBean
        ThreadPoolReportEndpoint lifeguardThreadPoolReportEndpoint() {
            return new ThreadPoolReportEndpoint();
        }
    }
}
