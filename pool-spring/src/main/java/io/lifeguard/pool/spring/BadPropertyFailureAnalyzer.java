package io.lifeguard.pool.spring;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/** Says which property is wrong, where it was set, and what to do. Stateless. */
final class BadPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BadPropertyException> {

    private final Environment environment;

    BadPropertyFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, BadPropertyException cause) {
        return new FailureAnalysis(cause.getMessage() + origin(cause.key()) + ".", cause.remedy(), cause);
    }

    private String origin(String key) {
        if (!ConfigurationPropertyName.isValid(key)) {
            return "";
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            Origin origin = Origin.from(source.getConfigurationProperty(name));
            if (origin != null) {
                return ", set in " + origin;
            }
        }
        return "";
    }
}
