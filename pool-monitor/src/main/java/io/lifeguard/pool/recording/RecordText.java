package io.lifeguard.pool.recording;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.measure.HistogramSnapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of this library as JSON. Stateless.
 *
 * <p>A record is an object with one member per component. A reader ignores members that it does not know, and refuses a
 * record that lacks one. Where a component's type is an interface, the member {@value #CLASS} names the record.
 * Durations are nanoseconds, and moments are nanoseconds since 1970. What is empty is null.
 */
final class RecordText {

    /** The member that names a record's class, without the library's own package. */
    private static final String CLASS = "@";

    private static final String ROOT = PoolSnapshot.class.getPackageName() + ".";

    private static final ClassValue<List<Component>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(Component::of).toList();
        }
    };

    /** A component, and its name as the text has it: half of the text is names, which need not be quoted each time. */
    private record Component(String member, Method accessor, Type type) {

        static Component of(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true); // a public method of a record, which may be hidden
            StringBuilder member = new StringBuilder();
            quote(member, component.getName());
            return new Component(member.append(':').toString(), accessor, component.getGenericType());
        }
    }

    private RecordText() {}

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
        for (Component component : COMPONENTS.get(value.getClass())) {
            out.append(separator).append(component.member);
            write(out, get(component.accessor, value), component.type);
            separator = ',';
        }
        out.append('}');
    }

    private static @Nullable Object get(Method accessor, Record value) {
        try {
            return accessor.invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException("cannot read " + accessor, e);
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

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
