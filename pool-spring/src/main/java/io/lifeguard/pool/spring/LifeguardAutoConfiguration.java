package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Rule;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Makes Boot's executors measure their tasks, has those of the application watched, defines the pools that properties declare, and tells
 * the monitor what the properties say.
 */
@AutoConfiguration
@ConditionalOnClass(ThreadPoolTaskExecutor.class)
@ConditionalOnSwitch("lifeguard.enabled")
public final class LifeguardAutoConfiguration {

    /** Made by the container. */
    public LifeguardAutoConfiguration() {}

    @Bean
    static DeclaredPools lifeguardDeclaredPools() {
        return new DeclaredPools();
    }

    @Bean
    static BootExecutors lifeguardBootExecutors() {
        return new BootExecutors();
    }

    /** Needed by a post-processor, and therefore early: of infrastructure the container does not warn that it cannot be proxied. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnmeteredExecutors lifeguardUnmeteredExecutors() {
        return new UnmeteredExecutors();
    }

    @Bean
    static BlindSpots lifeguardBlindSpots() {
        return new BlindSpots();
    }

    @Bean
    static PoolWatcher lifeguardPoolWatcher() {
        return new PoolWatcher();
    }

    @Bean
    static LazyInitializationExcludeFilter lifeguardIsEager() {
        return LazyInitializationExcludeFilter.forBeanTypes(
                MonitorSetup.class, DeclaredPoolLifecycle.class, WebServerPools.class);
    }

    @Bean
    MonitorSetup lifeguardMonitorSetup(
            LifeguardProperties properties,
            ObjectProvider<Rule> rules,
            ObjectProvider<FindingListener> listeners,
            Environment environment) {
        return new MonitorSetup(properties, rules, listeners, environment);
    }

    @Bean
    DeclaredPoolLifecycle lifeguardDeclaredPoolLifecycle(ConfigurableListableBeanFactory beans) {
        return new DeclaredPoolLifecycle(beans);
    }
}
