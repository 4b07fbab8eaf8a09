package io.lifeguard.pool.spring;

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

/** How durations, and what rules know, look in JSON. Stateless. */
final class JsonValues {

    private JsonValues() {}

    /** To the microsecond, and such that it is written without an exponent. */
    static BigDecimal seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .setScale(6, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }

    /** The evidence of a finding; the names of durations have their unit behind them. */
    static Map<String, Object> evidence(Finding finding) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        finding.evidence()
                .forEach((name, value) -> evidence.put(isTime(value) ? name + "Seconds" : name, plain(value)));
        return evidence;
    }

    private static boolean isTime(@Nullable Object value) {
        return value instanceof Duration
                || (value instanceof List<?> many && !many.isEmpty() && many.get(0) instanceof Duration);
    }

    /** An object of a user's rule that cannot say what it is does not take the view away. */
    private static Object plain(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        try {
            return json(value);
        } catch (Throwable failure) {
            return "(" + value.getClass().getName() + ", which cannot say what it is)";
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
            return number.getClass().getName().startsWith("java.") ? number : number.toString();
        }
        return value instanceof Boolean ? value : value.toString();
    }
}
