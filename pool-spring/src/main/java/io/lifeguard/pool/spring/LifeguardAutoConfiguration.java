package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.spring.executor.ExecutorConfiguration;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.MonitorSetup;
import io.lifeguard.pool.spring.properties.ConditionalOnSwitch;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Instruments Boot's executors, watches the executors of the application, defines the declared pools, and passes the
 * properties to the monitor.
 */
@AutoConfiguration
@ConditionalOnClass(ThreadPoolTaskExecutor.class)
@ConditionalOnSwitch("lifeguard.enabled")
@Import(ExecutorConfiguration.class)
public final class LifeguardAutoConfiguration {

    /** Made by the container. */
    public LifeguardAutoConfiguration() {}

    @Bean
    @Lazy(false)
    MonitorSetup lifeguardMonitorSetup(
            LifeguardProperties properties,
            ObjectProvider<Rule> rules,
            ObjectProvider<FindingListener> listeners,
            Environment environment,
            BeanFactory beans) {
        if (AutoConfigurationPackages.has(beans)) {
            List<String> packages = AutoConfigurationPackages.get(beans);
            GlobalMonitor.ifOn(monitor -> UserFrames.addApplication(packages));
        }
        return new MonitorSetup(properties, rules, listeners, environment);
    }
}
