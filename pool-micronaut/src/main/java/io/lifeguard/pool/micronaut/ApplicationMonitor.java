package io.lifeguard.pool.micronaut;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The monitor of the application, set by the properties below {@code lifeguard}. It begins with the context. Stateless:
 * the monitor is that of the JVM.
 */
@Context
@Requires(property = "lifeguard.enabled", notEquals = "false")
@Requires(property = PoolMonitor.PROPERTY, notEquals = "off")
public final class ApplicationMonitor {

    private static final String PREFIX = "lifeguard.";

    /**
     * Made by the container.
     *
     * @param environment has the properties, not null
     * @throws IllegalArgumentException if a property has no such value
     */
    ApplicationMonitor(Environment environment) {
        UserFrames.addApplication(environment.getPackages());
        try {
            apply(environment, PoolMonitor.global());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a property below lifeguard is wrong: " + e.getMessage(), e);
        }
    }

    /** {@return the monitor of this JVM} */
    PoolMonitor get() {
        return PoolMonitor.global();
    }

    private static void apply(Environment environment, PoolMonitor monitor) {
        environment.getProperty(PREFIX + "window", Duration.class).ifPresent(monitor::window);
        environment.getProperty(PREFIX + "log-reminder", Duration.class).ifPresent(monitor::reminder);
        environment.getProperty(PREFIX + "black-box.directory", Path.class).ifPresent(monitor::blackBox);
        for (Map.Entry<String, Object> rule : below(environment, "rules").entrySet()) {
            if (Boolean.parseBoolean(String.valueOf(rule.getValue()))) {
                monitor.switchOn(rule.getKey());
            } else {
                monitor.switchOff(rule.getKey());
            }
        }
        for (Map.Entry<String, Object> threshold :
                below(environment, "thresholds").entrySet()) {
            monitor.threshold(threshold.getKey(), Double.parseDouble(String.valueOf(threshold.getValue())));
        }
    }

    /** Raw, because the keys of thresholds have capitals. */
    private static Map<String, Object> below(Environment environment, String key) {
        return environment.getProperties(PREFIX + key, StringConvention.RAW);
    }
}
