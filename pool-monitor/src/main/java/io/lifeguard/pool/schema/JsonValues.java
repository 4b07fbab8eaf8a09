package io.lifeguard.pool.schema;

import io.lifeguard.pool.diagnosis.Finding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts durations and evidence to values that JSON can show. Stateless. */
public final class JsonValues {

    private JsonValues() {}

    /** {@return seconds to the microsecond, written without an exponent} */
    public static BigDecimal seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .setScale(6, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }

    /**
     * {@return the evidence of a finding} The names of durations end with {@code Seconds}. A number that is not finite
     * is text.
     */
    public static Map<String, Object> evidence(Finding finding) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        finding.evidence()
                .forEach((name, value) -> evidence.put(isTime(value) ? name + "Seconds" : name, plain(value)));
        return evidence;
    }

    private static boolean isTime(@Nullable Object value) {
        return value instanceof Duration
                || (value instanceof List<?> many && !many.isEmpty() && many.get(0) instanceof Duration);
    }

    /** An object of a user's rule whose {@code toString} throws must not hide the rest. */
    private static Object plain(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        try {
            return json(value);
        } catch (Throwable e) {
            return "(" + value.getClass().getName() + " whose toString() throws)";
        }
    }

    private static Object json(Object value) {
        if (value instanceof Duration duration) {
            return seconds(duration);
        } else if (value instanceof Collection<?> many) {
            List<Object> plain = new ArrayList<>();
            many.forEach(each -> plain.add(plain(each)));
            return plain;
        } else if (value instanceof Number number) {
            return isPlain(number) ? number : number.toString();
        }
        return value instanceof Boolean ? value : value.toString();
    }

    /** JSON has neither infinity nor NaN, and a number of a user's class may have any form. */
    private static boolean isPlain(Number number) {
        return number.getClass().getName().startsWith("java.") && Double.isFinite(number.doubleValue());
    }
}
