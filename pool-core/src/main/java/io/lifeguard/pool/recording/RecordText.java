package io.lifeguard.pool.recording;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.measure.HistogramSnapshot;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
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
 * Writes records of this library as JSON, and reads them back. Stateless.
 *
 * <p>A record is an object with one member per component. A reader ignores members that it does not know, and refuses a
 * record that lacks one. Where a component's type is an interface, the member {@value #CLASS} names the record.
 * Durations are nanoseconds, and moments are nanoseconds since 1970. What is empty is null.
 */
final class RecordText {

    /** The member that names a record's class, without the library's own package. */
    private static final String CLASS = "@";

    private static final String ROOT = PoolSnapshot.class.getPackageName() + ".";

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true); // a public method of a class of this module
            }
            return components;
        }
    };

    private RecordText() {}

    // ---- writing ----

    /**
     * {@return the record as JSON in one line}
     *
     * @throws IllegalArgumentException if a component has a type that has no text, as a user's own class
     */
    static String write(Record value) {
        StringBuilder out = new StringBuilder();
        write(out, value, value.getClass());
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value, Type declared) {
        if (value instanceof Optional<?> optional) {
            write(out, optional.orElse(null), argument(declared, 0));
        } else if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            out.append(value);
        } else if (value instanceof Double number) {
            out.append(Double.isFinite(number) ? number : "\"" + number + "\"");
        } else if (value instanceof OptionalInt number) {
            out.append(number.isPresent() ? number.getAsInt() : "null");
        } else if (value instanceof OptionalLong number) {
            out.append(number.isPresent() ? number.getAsLong() : "null");
        } else if (value instanceof OptionalDouble number) {
            write(out, number.isPresent() ? number.getAsDouble() : null, double.class);
        } else if (value instanceof Duration time) {
            out.append(time.toNanos());
        } else if (value instanceof Instant moment) {
            out.append(Observation.nanos(moment));
        } else if (value instanceof Collection<?> all) {
            writeAll(out, all, argument(declared, 0));
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, map, argument(declared, 1));
        } else if (value instanceof StackTraceElement frame) {
            writeAll(out, parts(frame), String.class);
        } else if (value instanceof HistogramSnapshot histogram) {
            quote(out, histogram.toText());
        } else if (value instanceof Enum<?> constant) {
            quote(out, constant.name());
        } else if (value instanceof String text) {
            quote(out, text);
        } else if (value instanceof Record row && row.getClass().getName().startsWith(ROOT)) {
            writeRecord(out, row, declared);
        } else {
            throw new IllegalArgumentException(
                    "there is no text for a " + value.getClass().getName());
        }
    }

    private static void writeAll(StringBuilder out, Collection<?> all, Type each) {
        char separator = '[';
        for (Object one : all) {
            out.append(separator);
            write(out, one, each);
            separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
    }

    private static void writeMap(StringBuilder out, Map<?, ?> map, Type each) {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            quote(out, entry.getKey() instanceof Enum<?> key ? key.name() : String.valueOf(entry.getKey()));
            out.append(':');
            write(out, entry.getValue(), each);
            separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
    }

    private static void writeRecord(StringBuilder out, Record value, Type declared) {
        char separator = '{';
        if (value.getClass() != declared) {
            out.append(separator);
            quote(out, CLASS);
            out.append(':');
            quote(out, value.getClass().getName().substring(ROOT.length()));
            separator = ',';
        }
        for (RecordComponent component : COMPONENTS.get(value.getClass())) {
            out.append(separator);
            quote(out, component.getName());
            out.append(':');
            write(out, get(component, value), component.getGenericType());
            separator = ',';
        }
        out.append('}');
    }

    private static @Nullable Object get(RecordComponent component, Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException("cannot read " + component, e);
        }
    }

    private static List<@Nullable String> parts(StackTraceElement frame) {
        return Arrays.asList(
                frame.getClassLoaderName(),
                frame.getModuleName(),
                frame.getModuleVersion(),
                frame.getClassName(),
                frame.getMethodName(),
                frame.getFileName(),
                Integer.toString(frame.getLineNumber()));
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) { // a lone surrogate would not survive as UTF-8
                out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    // ---- reading ----

    /**
     * {@return the record that a text holds}
     *
     * @throws IllegalArgumentException if it holds none, or one of another version that lacks a component
     */
    static <T extends Record> T read(String text, Class<T> type) {
        try {
            Object tree = JsonTree.parse(text);
            if (tree != null) {
                return type.cast(record(tree, type));
            }
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName() + ", but null");
        } catch (ClassCastException | NullPointerException | ArithmeticException e) {
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
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
        RecordComponent[] components = COMPONENTS.get(type);
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
            constructor.setAccessible(true); // of a record of this module
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("the text holds no " + type.getSimpleName(), e);
        }
    }

    /** A file may name any class, so only records of this library are made that the component may hold. */
    private static Class<?> named(String name, Class<?> declared) {
        try {
            Class<?> type = Class.forName(ROOT + name, false, RecordText.class.getClassLoader());
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
