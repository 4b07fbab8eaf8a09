package io.lifeguard.pool.spring.properties;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * Refuses three mistakes while Boot binds {@link LifeguardProperties}: a value out of its {@linkplain Between bounds},
 * a key that does not exist, and a value in place of a section, such as {@code lifeguard.pools.orders=16}. Confined to
 * one binding.
 */
final class LifeguardBindHandler extends NoUnboundElementsBindHandler {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(LifeguardProperties.PREFIX);
    private static final ConfigurationPropertyName POOLS = PREFIX.append("pools");

    LifeguardBindHandler() {
        super(new IgnoreTopLevelConverterNotFoundBindHandler(), new UnboundElementsSourceFilter());
    }

    /** Looks for a value in place of a section. Boot would overlook it if the section also has properties. */
    @Override
    public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
        Class<?> type = target.getType().toClass();
        boolean isSection = type.isRecord() && context.getDepth() > 0; // a variable LIFEGUARD may have another purpose
        Object value = isSection ? writtenValue(name, context) : null;
        if (value != null && !"".equals(value)) {
            String remedy = type == PoolProperties.class ? name + ".size=16" : keysOf(name, type);
            throw LifeguardBinding.reject(
                    context.getBinder(), name, "must have no value, but properties of its own: " + remedy);
        }
        return super.onStart(name, target, context);
    }

    @Override
    public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        Between bounds = target.getAnnotation(Between.class);
        if (bounds != null && !Between.Check.holds(bounds, result)) {
            throw LifeguardBinding.reject(
                    context.getBinder(), name, "must be between " + bounds.least() + " and " + bounds.most());
        }
        return super.onSuccess(name, target, context, result);
    }

    /** A pool that has a name only, as {@code orders:} in YAML, has all defaults. */
    @Override
    public Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
            throws Exception {
        if (error instanceof ConverterNotFoundException
                && target.getType().toClass() == PoolProperties.class
                && "".equals(writtenValue(name, context))) {
            return onSuccess(name, target, context, new Binder().bindOrCreate("none", PoolProperties.class));
        }
        return super.onFailure(name, target, context, error);
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        try {
            super.onFinish(name, target, context, result);
        } catch (UnboundConfigurationPropertiesException e) {
            ConfigurationPropertyName unknown =
                    e.getUnboundProperties().iterator().next().getName();
            if (unknown.isLastElementIndexed()) {
                throw e; // a gap in a list
            }
            throw LifeguardBinding.reject(
                    context.getBinder(), unknown, "must be a property that exists: " + knownKeysBeside(unknown));
        }
    }

    /** The value of exactly this key, or null if it has none. */
    private static @Nullable Object writtenValue(ConfigurationPropertyName name, BindContext context) {
        return context.getBinder().bind(name, Bindable.of(Object.class)).orElse(null);
    }

    /** The keys of the section in which the unknown key stands. */
    private static String knownKeysBeside(ConfigurationPropertyName unknown) {
        if (POOLS.isAncestorOf(unknown)) {
            return keysOf(unknown.chop(POOLS.getNumberOfElements() + 1), PoolProperties.class);
        }
        for (RecordComponent component : LifeguardProperties.class.getRecordComponents()) {
            ConfigurationPropertyName section = PREFIX.append(dashed(component));
            if (component.getType().isRecord() && section.isAncestorOf(unknown)) {
                return keysOf(section, component.getType());
            }
        }
        return keysOf(PREFIX, LifeguardProperties.class);
    }

    private static String keysOf(ConfigurationPropertyName section, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> section + "." + dashed(component) + (isSection(component.getType()) ? ".*" : ""))
                .collect(Collectors.joining(", "));
    }

    private static boolean isSection(Class<?> type) {
        return type.isRecord() || type == Map.class;
    }

    private static String dashed(RecordComponent component) {
        return DataObjectPropertyName.toDashedForm(component.getName());
    }
}
