package io.lifeguard.pool.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
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

    /**
     * The properties of that context, checked.
     *
     * @throws BadPropertyException at a value that cannot be
     * @throws org.springframework.boot.context.properties.bind.BindException at a value of the wrong type, and at a key that does not exist
     */
    static LifeguardProperties of(ConfigurableListableBeanFactory beans, Environment environment) {
        if (beans.getSingleton(BEAN) instanceof LifeguardProperties bound) {
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
    private static boolean isAnySet(Environment environment) {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(LifeguardProperties.PREFIX);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(prefix) != ConfigurationPropertyState.ABSENT) {
                return true;
            }
        }
        return false;
    }

    static LifeguardProperties bind(Environment environment) {
        return Binder.get(environment)
                .bindOrCreate(
                        LifeguardProperties.PREFIX,
                        Bindable.of(LifeguardProperties.class),
                        new NamesAlone(new NoUnboundElementsBindHandler(
                                new IgnoreTopLevelConverterNotFoundBindHandler(), new UnboundElementsSourceFilter())));
    }

    /** A pool of which there is but the name, as YAML allows, is one with defaults only. */
    private static final class NamesAlone extends AbstractBindHandler {

        NamesAlone(BindHandler parent) {
            super(parent);
        }

        @Override
        public Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                throws Exception {
            if (target.getType().resolve() != PoolProperties.class || !isEmpty(name, context)) {
                return super.onFailure(name, target, context, error);
            }
            PoolProperties defaults = new Binder().bindOrCreate(LifeguardProperties.PREFIX, PoolProperties.class);
            return super.onSuccess(name, target, context, defaults); // or it would count as left unbound
        }

        private static boolean isEmpty(ConfigurationPropertyName name, BindContext context) {
            for (ConfigurationPropertySource source : context.getSources()) {
                ConfigurationProperty property = source.getConfigurationProperty(name);
                if (property != null) {
                    return "".equals(property.getValue());
                }
            }
            return false;
        }
    }
}
