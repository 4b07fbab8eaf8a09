package io.lifeguard.pool.tools.recording;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.measure.HistogramSnapshot;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of this library that a recording holds as JSON. Stateless.
 *
 * <p>It ignores members that it does not know, and refuses a record that lacks a component. Where a component's type is
 * an interface, the member {@value #CLASS} names the record. Durations are nanoseconds, and moments are nanoseconds
 * since 1970. What is empty is null.
 */
public final class RecordParser {

    /** The member that names a record's class, without the library's own package. */
    private static final String CLASS = "@";

    private static final String ROOT = PoolSnapshot.class.getPackageName() + ".";

    /** Windows nest about ten deep. A file that nests deeper must not overflow the stack. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(64).build())
            .build();

    private RecordParser() {}

    /**
     * {@return the record that a text holds}
     *
     * @throws IllegalArgumentException if it holds none, or one of another version that lacks a component
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        try {
            Object tree = tree(text);
            if (tree != null) {
                return type.cast(record(tree, type));
            }
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName() + ", but null");
        } catch (IOException
                | ClassCastException
                | NullPointerException
                | ArithmeticException
                | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable Object tree(String text) throws IOException {
        try (JsonParser json = JSON.createParser(text)) {
            json.nextToken();
            Object tree = tree(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("the text goes on after its end at " + json.currentLocation());
            }
            return tree;
        }
    }

    /** Objects become maps, arrays become lists, and numbers become {@link Long} or {@link Double}. */
    private static @Nullable Object tree(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    json.nextToken();
                    members.put(name, tree(json));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(tree(json));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }

    private static @Nullable Object value(@Nullable Object tree, Type declared) {
        Class<?> type = raw(declared);
        if (type == Optional.class) {
            return tree == null ? Optional.empty() : Optional.ofNullable(value(tree, argument(declared, 0)));
        } else if (type == OptionalInt.class) {
            return tree == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact((Long) tree));
        } else if (type == OptionalLong.class) {
            return tree == null ? OptionalLong.empty() : OptionalLong.of((Long) tree);
        } else if (type == OptionalDouble.class) {
            return tree == null ? OptionalDouble.empty() : OptionalDouble.of(real(tree));
        } else if (tree == null || type == String.class || type == boolean.class) {
            return tree;
        } else if (type == double.class || type == Double.class) {
            return real(tree);
        } else if (type == int.class) {
            return Math.toIntExact((Long) tree);
        } else if (type == long.class || type == Long.class) {
            return tree;
        } else if (type == Duration.class) {
            return Duration.ofNanos((Long) tree);
        } else if (type == Instant.class) {
            return Instant.EPOCH.plusNanos((Long) tree);
        } else if (type == List.class) {
            return all(tree, argument(declared, 0)).toList();
        } else if (type == Set.class) {
            return all(tree, argument(declared, 0)).collect(Collectors.toSet());
        } else if (type == Map.class) {
            return map((Map<?, ?>) tree, raw(argument(declared, 0)), argument(declared, 1));
        } else if (type == StackTraceElement.class) {
            return frame((List<?>) tree);
        } else if (type == HistogramSnapshot.class) {
            return HistogramSnapshot.parse((String) tree);
        } else if (type.isEnum()) {
            return constant(type, (String) tree);
        }
        return record(tree, type);
    }

    private static double real(Object tree) {
        return tree instanceof Number number ? number.doubleValue() : Double.parseDouble((String) tree);
    }

    private static Stream<@Nullable Object> all(Object tree, Type each) {
        return ((List<?>) tree).stream().map(one -> value(one, each));
    }

    private static Map<Object, @Nullable Object> map(Map<?, ?> tree, Class<?> key, Type each) {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        tree.forEach((name, value) -> map.put(key((String) name, key), value(value, each)));
        return map;
    }

    private static Object key(String name, Class<?> type) {
        return type == Long.class ? (Object) Long.parseLong(name) : type.isEnum() ? constant(type, name) : name;
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("there is no " + type.getSimpleName() + " " + name);
    }

    private static StackTraceElement frame(List<?> parts) {
        return new StackTraceElement(
                (String) parts.get(0),
                (String) parts.get(1),
                (String) parts.get(2),
                (String) parts.get(3),
                (String) parts.get(4),
                (String) parts.get(5),
                Integer.parseInt((String) parts.get(6)));
    }

    private static Object record(Object tree, Class<?> declared) {
        Map<?, ?> members = (Map<?, ?>) tree;
        Class<?> type = members.containsKey(CLASS) ? named((String) members.get(CLASS), declared) : declared;
        if (!type.isRecord()) {
            throw new IllegalArgumentException("there is no text for a " + type.getName());
        }
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            if (!members.containsKey(name)) {
                throw new IllegalArgumentException(type.getSimpleName() + " lacks " + name);
            }
            values[i] = value(members.get(name), components[i].getGenericType());
        }
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true); // of a record, which may be hidden
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName(), e);
        }
    }

    /** A file may name any class, so only records of this library are made that the component may hold. */
    private static Class<?> named(String name, Class<?> declared) {
        try {
            Class<?> type = Class.forName(ROOT + name, false, RecordParser.class.getClassLoader());
            if (type.isRecord() && declared.isAssignableFrom(type)) {
                return type;
            }
        } catch (ClassNotFoundException | LinkageError ignored) { // of another version
            // refused below
        }
        throw new IllegalArgumentException("there is no " + declared.getSimpleName() + " " + name);
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
