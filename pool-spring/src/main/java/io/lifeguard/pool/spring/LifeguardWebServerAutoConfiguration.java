package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.ConditionalOnSwitch;
import io.lifeguard.pool.spring.properties.LifeguardBinding;
import io.lifeguard.pool.spring.properties.LifeguardProperties.Instrument;
import io.lifeguard.pool.spring.web.WebServerCustomizers;
import io.lifeguard.pool.spring.web.WebServerPools;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Watches the request threads of embedded servers. */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch("lifeguard.watch.web-server")
@Import(WebServerCustomizers.class)
public final class LifeguardWebServerAutoConfiguration {

    /** Made by the container. */
    public LifeguardWebServerAutoConfiguration() {}

    @Bean
    @Lazy(false)
    WebServerPools lifeguardWebServerPools(
            UnseenExecutors unseen, Environment environment, ConfigurableListableBeanFactory beans) {
        boolean isMeasuring = LifeguardBinding.of(beans, environment).instrument() != Instrument.NONE;
        boolean hasActuator = ClassUtils.isPresent(
                "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
                getClass().getClassLoader());
        return new WebServerPools(
                unseen, isMeasuring, !hasActuator || environment.containsProperty("management.server.port"));
    }
}
