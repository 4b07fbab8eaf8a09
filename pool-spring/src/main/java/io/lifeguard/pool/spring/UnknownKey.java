package io.lifeguard.pool.spring;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** A key below {@code lifeguard.} that does not exist, and those that do in its place. Stateless. */
final class UnknownKey {

    private UnknownKey() {}

    /** Empty where the key exists, and something else is wrong with it: a gap in a list. */
    static Optional<BadPropertyException> firstOf(UnboundConfigurationPropertiesException unbound) {
        return unbound.getUnboundProperties().stream()
                .findFirst()
                .flatMap(property -> section(property).map(section -> bad(property, section)));
    }

    /** The innermost section in which it would be. */
    private static Optional<Section> section(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        Class<?> type = LifeguardProperties.class;
        int depth = 1;
        int at = 1;
        while (at < name.getNumberOfElements()) {
            RecordComponent component = component(type, name.getElement(at, Form.UNIFORM));
            at++;
            if (component == null) {
                break;
            }
            Class<?> inner = component.getType();
            if (Collection.class.isAssignableFrom(inner)) {
                return Optional.empty();
            } else if (valueOf(component) instanceof Class<?> value && value.isRecord()) {
                inner = value;
                at++; // the name of one, which may be any
            }
            if (!inner.isRecord()) {
                break;
            }
            type = inner;
            depth = at;
        }
        return Optional.of(new Section(name.chop(depth), type));
    }

    private static @Nullable RecordComponent component(Class<?> section, String uniform) {
        return Arrays.stream(section.getRecordComponents())
                .filter(component -> Words.uniform(component.getName()).equals(uniform))
                .findFirst()
                .orElse(null);
    }

    /** What a map holds; null where there is none. */
    private static @Nullable Type valueOf(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType map && map.getActualTypeArguments().length == 2
                ? map.getActualTypeArguments()[1]
                : null;
    }

    private static BadPropertyException bad(ConfigurationProperty property, Section section) {
        return new BadPropertyException(
                property.getName().toString(),
                property.getValue(),
                "be a property that exists, and there is none of this name",
                "Remove it, or write one of " + String.join(", ", section.keys()) + ".");
    }

    private record Section(ConfigurationPropertyName name, Class<?> type) {

        List<String> keys() {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> name + "."
                            + DataObjectPropertyName.toDashedForm(component.getName())
                            + (hasMore(component) ? ".*" : ""))
                    .toList();
        }

        private static boolean hasMore(RecordComponent component) {
            return component.getType().isRecord() || component.getType() == Map.class;
        }
    }
}
