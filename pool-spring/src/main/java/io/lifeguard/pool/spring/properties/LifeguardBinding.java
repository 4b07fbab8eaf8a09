package io.lifeguard.pool.spring.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Binds {@link LifeguardProperties} once per context, before there are beans: the properties decide which beans there
 * are. Afterwards they are a bean. Stateless.
 */
public final class LifeguardBinding {

    /** The name that Boot gives to a bean of bound properties. */
    private static final String BEAN = LifeguardProperties.PREFIX + "-" + LifeguardProperties.class.getName();

    private LifeguardBinding() {}

    /** The properties of a context. Null before they are bound, and in a context without Lifeguard. */
    public static @Nullable LifeguardProperties bound(ConfigurableListableBeanFactory beans) {
        return beans.getSingleton(BEAN) instanceof LifeguardProperties properties ? properties : null;
    }

    /**
     * The properties of a context, bound and checked at the first call.
     *
     * @throws org.springframework.boot.context.properties.bind.BindException if a value is bad or a key does not exist
     */
    public static LifeguardProperties of(ConfigurableListableBeanFactory beans, Environment environment) {
        LifeguardProperties properties = bound(beans);
        if (properties == null) {
            properties = isAnySet(environment) ? bind(environment) : LifeguardProperties.DEFAULTS;
            beans.registerSingleton(BEAN, properties);
        }
        return properties;
    }

    /** Whether a boolean property is on, or {@code otherwise} if it is not set. */
    public static boolean isOn(Environment environment, String key, boolean otherwise) {
        return Binder.get(environment).bind(key, Boolean.class).orElse(otherwise);
    }

    /** Whether a property below {@code lifeguard.} is set. */
    public static boolean isSet(Environment environment, String key) {
        return isAnySet(environment)
                && Binder.get(environment).bind(key, Object.class).isBound();
    }

    /**
     * Throws the exception that Boot's binder throws at a bad value. Boot's failure analysis then names the key, the
     * value, where it was set, and the reason, which begins with "must".
     */
    public static IllegalStateException reject(Environment environment, String key, String reason) {
        return reject(Binder.get(environment), ConfigurationPropertyName.adapt(key, '.'), reason);
    }

    static IllegalStateException reject(Binder binder, ConfigurationPropertyName key, String reason) {
        binder.bind(key, Bindable.of(Object.class), new AbstractBindHandler() {
            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result) {
                throw new IllegalArgumentException(reason);
            }
        });
        throw new IllegalStateException(key + " " + reason);
    }

    /** Most applications set no property of Lifeguard. Asking first spares them the time of binding. */
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
                        LifeguardProperties.PREFIX, Bindable.of(LifeguardProperties.class), new LifeguardBindHandler());
    }
}
