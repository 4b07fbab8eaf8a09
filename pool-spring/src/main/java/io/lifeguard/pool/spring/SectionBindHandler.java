package io.lifeguard.pool.spring;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;

/**
 * What has properties of its own has no value: {@code lifeguard.pools.orders=16} is a mistake, and is told apart from a pool of which there
 * is but the name, as YAML allows, which is one with defaults only. Stateless.
 */
final class SectionBindHandler extends AbstractBindHandler {

    /** Variables of the environment and of the system may be somebody else's. */
    private static final Predicate<ConfigurationPropertySource> OURS = new UnboundElementsSourceFilter()::apply;

    SectionBindHandler(BindHandler parent) {
        super(parent);
    }

    @Override
    public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
        Object value = isSection(target) ? value(name, context, OURS) : null;
        if (value != null && !"".equals(value)) {
            throw bad(name, value, target); // also beside properties, where Boot would not look at it
        }
        return super.onStart(name, target, context);
    }

    @Override
    public Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
            throws Exception {
        if (error instanceof BadPropertyException || !isSection(target)) {
            return super.onFailure(name, target, context, error);
        }
        Object value = value(name, context, source -> true);
        if (value == null) {
            return super.onFailure(name, target, context, error);
        } else if (!"".equals(value)) {
            throw bad(name, value, target);
        } else if (typeOf(target) != PoolProperties.class) {
            return super.onFailure(name, target, context, error);
        }
        PoolProperties defaults = new Binder().bindOrCreate(LifeguardProperties.PREFIX, PoolProperties.class);
        return super.onSuccess(name, target, context, defaults); // or it would count as left unbound
    }

    private static boolean isSection(Bindable<?> target) {
        Class<?> type = typeOf(target);
        return type != null
                && type.isRecord()
                && type.getPackageName().equals(SectionBindHandler.class.getPackageName());
    }

    private static @Nullable Class<?> typeOf(Bindable<?> target) {
        return target.getType().resolve();
    }

    /** As it was written; null where nothing was. */
    private static @Nullable Object value(
            ConfigurationPropertyName name, BindContext context, Predicate<ConfigurationPropertySource> which) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = which.test(source) ? source.getConfigurationProperty(name) : null;
            if (property != null) {
                return property.getValue();
            }
        }
        return null;
    }

    private static BadPropertyException bad(ConfigurationPropertyName name, Object value, Bindable<?> target) {
        String key = name.toString();
        return new BadPropertyException(
                key, value, "have no value, but properties of its own", remedy(key, value.toString(), target));
    }

    private static String remedy(String key, String value, Bindable<?> target) {
        Class<?> type = target.getType().resolve(Object.class);
        if (type == PoolProperties.class) {
            String size = value.strip().matches("[1-9]\\d{0,4}") ? value.strip() : "16";
            return "Write " + key + ".size=" + size + " for a pool of " + Words.of(Integer.parseInt(size), "thread")
                    + ", or " + key + " alone for one with all defaults.";
        }
        String keys = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(component -> key + "." + DataObjectPropertyName.toDashedForm(component))
                .collect(Collectors.joining(", "));
        return "Write one of " + keys + ".";
    }
}
