package io.lifeguard.pool.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * The properties, bound once: for those who define beans, and cannot ask for one, and from then on as a bean. Stateless.
 */
final class EarlyProperties {

    /** As Boot names beans of properties. */
    private static final String BEAN = LifeguardProperties.PREFIX + "-" + LifeguardProperties.class.getName();

    private EarlyProperties() {}

    /** Of that context; null before they are bound, and where there is no Lifeguard. */
    static @Nullable LifeguardProperties bound(ConfigurableListableBeanFactory beans) {
        return beans.getSingleton(BEAN) instanceof LifeguardProperties properties ? properties : null;
    }

    /**
     * The properties of that context, checked.
     *
     * @throws BadPropertyException at a value that cannot be, and at a key that does not exist
     * @throws org.springframework.boot.context.properties.bind.BindException at a value of the wrong type
     */
    static LifeguardProperties of(ConfigurableListableBeanFactory beans, Environment environment) {
        LifeguardProperties bound = bound(beans);
        if (bound != null) {
            return bound;
        }
        LifeguardProperties properties = LifeguardProperties.DEFAULTS;
        if (isAnySet(environment)) {
            properties = bind(environment);
            PropertyChecks.check(properties);
        }
        beans.registerSingleton(BEAN, properties);
        return properties;
    }

    /** Binding takes long, and most applications need none of it. */
    static boolean isAnySet(Environment environment) {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(LifeguardProperties.PREFIX);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(prefix) != ConfigurationPropertyState.ABSENT) {
                return true;
            }
        }
        return false;
    }

    static LifeguardProperties bind(Environment environment) {
        try {
            return Binder.get(environment)
                    .bindOrCreate(
                            LifeguardProperties.PREFIX,
                            Bindable.of(LifeguardProperties.class),
                            new SectionBindHandler(new NoUnboundElementsBindHandler(
                                    new IgnoreTopLevelConverterNotFoundBindHandler(),
                                    new UnboundElementsSourceFilter())));
        } catch (BindException wrapped) {
            if (wrapped.getCause() instanceof BadPropertyException bad) {
                throw bad;
            } else if (wrapped.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                throw UnknownKey.firstOf(unbound).orElseThrow(() -> wrapped);
            }
            throw wrapped;
        }
    }
}
