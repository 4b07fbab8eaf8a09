package io.lifeguard.pool.report.drawing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, arrays, numbers, booleans, text and null as JSON. Has no state. */
final class Json {

    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

    private Json() {}

    /**
     * {@return the JSON text of a value}
     *
     * <p>Fractions keep four significant digits. A number that is not finite becomes null.
     *
     * @param value a map with text as keys, a list, {@code double[]}, {@code long[]}, number, boolean, text, or null
     * @throws IllegalArgumentException if it holds anything else
     */
    static String of(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(@Nullable Object value, StringBuilder to) {
        if (value instanceof Map<?, ?> map) {
            writeMap(map, to);
        } else if (value instanceof List<?> list) {
            to.append('[');
            for (int i = 0; i < list.size(); i++) {
                to.append(i == 0 ? "" : ",");
                write(list.get(i), to);
            }
            to.append(']');
        } else if (value instanceof double[] numbers) {
            to.append('[');
            for (int i = 0; i < numbers.length; i++) {
                to.append(i == 0 ? "" : ",");
                writeNumber(numbers[i], to);
            }
            to.append(']');
        } else if (value instanceof long[] numbers) {
            to.append('[');
            for (int i = 0; i < numbers.length; i++) {
                to.append(i == 0 ? "" : ",").append(numbers[i]);
            }
            to.append(']');
        } else if (value instanceof String text) {
            writeText(text, to);
        } else if (value instanceof Double number) {
            writeNumber(number, to);
        } else if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            to.append(value);
        } else {
            throw new IllegalArgumentException("value must be of a type that JSON has (was " + value.getClass() + ")");
        }
    }

    private static void writeMap(Map<?, ?> map, StringBuilder to) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            to.append(separator);
            writeText((String) entry.getKey(), to);
            to.append(':');
            write(entry.getValue(), to);
            separator = ",";
        }
        to.append(map.isEmpty() ? "{}" : "}");
    }

    private static void writeNumber(double number, StringBuilder to) {
        if (!Double.isFinite(number)) {
            to.append("null");
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            to.append((long) number);
        } else {
            to.append(new BigDecimal(number).round(FOUR_DIGITS));
        }
    }

    private static void writeText(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                to.append('\\').append(letter);
            } else if (letter < ' ' || Character.isSurrogate(letter) || letter == 0x7f) {
                to.append(String.format("\\u%04x", (int) letter)); // a lone surrogate has no UTF-8 form
            } else {
                to.append(letter);
            }
        }
        to.append('"');
    }
}
