package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** Instruments Boot's executors, defines the declared pools, and watches the executors of the application. */
@Configuration(proxyBeanMethods = false)
public class ExecutorConfiguration {

    /** Made by the container. */
    public ExecutorConfiguration() {}

    @Bean
    static DeclaredPools lifeguardDeclaredPools() {
        return new DeclaredPools();
    }

    @Bean
    static BootExecutors lifeguardBootExecutors() {
        return new BootExecutors();
    }

    /**
     * Infrastructure, because a post-processor needs it early: for other beans the container would warn that they
     * cannot be proxied.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnmeteredExecutors lifeguardUnmeteredExecutors() {
        return new UnmeteredExecutors();
    }

    @Bean
    static UnseenExecutors lifeguardUnseenExecutors() {
        return new UnseenExecutors();
    }

    @Bean
    static PoolWatcher lifeguardPoolWatcher() {
        return new PoolWatcher();
    }

    @Bean
    @Lazy(false)
    DeclaredPoolLifecycle lifeguardDeclaredPoolLifecycle(ConfigurableListableBeanFactory beans) {
        return new DeclaredPoolLifecycle(beans);
    }
}
