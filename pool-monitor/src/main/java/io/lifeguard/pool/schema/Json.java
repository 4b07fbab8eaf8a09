package io.lifeguard.pool.schema;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps with text as keys, lists, {@code double[]}, {@code long[]}, numbers, booleans, text and null as JSON. A
 * number that is not finite becomes null. Used by one thread.
 */
public final class Json {

    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

    private final StringBuilder to = new StringBuilder();
    private final boolean isForPage; // a page is UTF-8, and need not be exact
    private final boolean isIndented;
    private int depth;

    private Json(boolean isForPage, boolean isIndented) {
        this.isForPage = isForPage;
        this.isIndented = isIndented;
    }

    /**
     * {@return the value in one line, in ASCII, so that no encoding of a terminal or a pipe can spoil it; what has no
     * type of JSON becomes text}
     */
    public static String line(@Nullable Object value) {
        return new Json(false, false).write(value);
    }

    /** {@return the value in many lines, likewise} */
    public static String lines(@Nullable Object value) {
        return new Json(false, true).write(value);
    }

    /**
     * {@return the value in one line of UTF-8, with four significant digits of fractions}
     *
     * @throws IllegalArgumentException if it holds anything else than this class writes
     */
    public static String forPage(@Nullable Object value) {
        return new Json(true, false).write(value);
    }

    private String write(@Nullable Object value) {
        put(value);
        return to.toString();
    }

    private void put(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            putMap(map);
        } else if (value instanceof Iterable<?> all) {
            putAll(all.iterator());
        } else if (value instanceof double[] numbers) {
            putAll(Arrays.stream(numbers).iterator());
        } else if (value instanceof long[] numbers) {
            putAll(Arrays.stream(numbers).iterator());
        } else if (value instanceof String text) {
            putText(text);
        } else if (value instanceof Double || value instanceof Float) {
            putNumber(((Number) value).doubleValue());
        } else if (value instanceof BigDecimal number) {
            to.append(number);
        } else if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            to.append(value);
        } else if (!isForPage) {
            putText(value.toString());
        } else {
            throw new IllegalArgumentException("value must be of a type that JSON has (was " + value.getClass() + ")");
        }
    }

    private void putAll(Iterator<?> all) {
        to.append(isIndented ? "[ " : "[");
        while (all.hasNext()) {
            put(all.next());
            to.append(all.hasNext() ? isIndented ? ", " : "," : isIndented ? " " : "");
        }
        to.append(']');
    }

    private void putMap(Map<?, ?> map) {
        to.append('{');
        depth++;
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            to.append(separator);
            breakLine();
            putText((String) entry.getKey());
            to.append(isIndented ? " : " : ":");
            put(entry.getValue());
            separator = ",";
        }
        depth--;
        if (!map.isEmpty()) {
            breakLine();
        }
        to.append('}');
    }

    private void breakLine() {
        if (isIndented) {
            to.append('\n').append("  ".repeat(depth));
        }
    }

    private void putNumber(double number) {
        if (!Double.isFinite(number)) {
            to.append("null");
        } else if (!isForPage) {
            to.append(number);
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            to.append((long) number);
        } else {
            to.append(new BigDecimal(number).round(FOUR_DIGITS));
        }
    }

    private void putText(String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                to.append('\\').append(letter);
            } else if (letter == '\n') {
                to.append("\\n");
            } else if (letter < ' ' || letter == 0x7f || (isForPage ? Character.isSurrogate(letter) : letter > '~')) {
                to.append(String.format("\\u%04X", (int) letter)); // a lone surrogate has no UTF-8 form
            } else {
                to.append(letter);
            }
        }
        to.append('"');
    }
}
