package io.lifeguard.pool.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Formattable;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes numbers as findings show them: durations, rates, shares. Stateless. */
public final class Units {

    private static final MathContext FOUR_DIGITS = new MathContext(4);
    private static final MathContext TWO_DIGITS = new MathContext(2);

    private static final double TWO_HOURS = 7200;
    private static final double TWO_DAYS = 48 * 3600;

    private Units() {}

    /**
     * As {@link String#format} of no country. The JDK's formatter loads sixty classes, so it gets only what is more
     * than {@code %s}, {@code %d}, {@code %%}, and numbers with decimals.
     */
    public static String format(String format, Object... arguments) {
        StringBuilder text = new StringBuilder();
        int argument = 0;
        int from = 0;
        for (int at = format.indexOf('%'); at >= 0; at = format.indexOf('%', from)) {
            text.append(format, from, at);
            boolean hasDecimals = format.startsWith(".", at + 1);
            int end = at + (hasDecimals ? 3 : 1);
            char conversion = end < format.length() ? format.charAt(end) : 0;
            Object value = argument < arguments.length ? arguments[argument] : null;
            if (conversion == '%' && !hasDecimals) {
                text.append('%');
            } else if (argument < arguments.length && isSimple(conversion, hasDecimals, value)) {
                text.append(
                        hasDecimals && value instanceof Double number
                                ? fixed(number, format.charAt(at + 2) - '0')
                                : value);
                argument++;
            } else {
                return String.format(Locale.ROOT, format, arguments);
            }
            from = end + 1;
        }
        return text.append(format, from, format.length()).toString();
    }

    private static boolean isSimple(char conversion, boolean hasDecimals, @Nullable Object value) {
        if (hasDecimals) {
            return conversion == 'f' && value instanceof Double;
        }
        boolean isWhole = value instanceof Integer || value instanceof Long;
        return conversion == 's' ? !(value instanceof Formattable) : conversion == 'd' && isWhole;
    }

    /** Rounds a floating-point number to four significant digits, and returns any other value unchanged. */
    public static Object rounded(Object value) {
        Objects.requireNonNull(value, "value must not be null");
        if (value instanceof Double number && Double.isFinite(number)) {
            return BigDecimal.valueOf(number).round(FOUR_DIGITS).doubleValue();
        }
        return value;
    }

    /** Rounds to two significant digits, as predictions for people are: more would look like knowledge. */
    public static double twoDigits(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).round(TWO_DIGITS).doubleValue()
                : value;
    }

    /**
     * A duration in seconds as people write it: {@code 12 µs}, {@code 3.4 ms}, {@code 46 ms}, {@code 1.2 s}, {@code 3
     * min 20 s}, {@code 10 h 13 min}.
     */
    public static String time(double seconds) {
        double absolute = Math.abs(seconds);
        if (absolute >= TWO_DAYS) {
            return format("%,.0f days", seconds / TWO_DAYS * 2);
        }
        if (absolute >= TWO_HOURS) {
            return twoUnits(Math.round(seconds / 60), "h", "min");
        }
        if (absolute >= 119.5) {
            return twoUnits(Math.round(seconds), "min", "s");
        }
        if (absolute >= 0.9995) {
            return count(seconds) + " s";
        }
        if (absolute >= 0.9995e-3) {
            return count(seconds * 1e3) + " ms";
        }
        if (absolute >= 0.9995e-6) {
            return count(seconds * 1e6) + " µs";
        }
        return Math.round(seconds * 1e9) + " ns";
    }

    /** A number of small units, sixty of which make a large one. */
    private static String twoUnits(long small, String largeUnit, String smallUnit) {
        String large = small / 60 + " " + largeUnit;
        return small % 60 == 0 ? large : large + " " + small % 60 + " " + smallUnit;
    }

    public static String time(Duration duration) {
        return time(duration.toNanos() / 1e9);
    }

    /** A rate per second: {@code 0.25}, {@code 7.4}, {@code 1,340}. */
    public static String rate(double perSecond) {
        return number(perSecond, decimals(perSecond));
    }

    public static String percent(double share) {
        return fixed(share * 100, 0) + "%";
    }

    /** A number that may be a fraction: {@code 2}, {@code 1.5}. */
    public static String count(double number) {
        return withoutZeros(fixed(number, decimals(number)));
    }

    /** A factor: {@code 12×}, {@code 1.7×}, {@code 1.05×}. */
    public static String times(double factor) {
        return (factor < 1.095 ? fixed(factor, 2) : count(factor)) + "×";
    }

    /**
     * The number of decimals with which {@link #count} shows a number: two significant digits, and all of an integer.
     */
    public static int decimals(double number) {
        double absolute = Math.abs(number);
        return absolute >= 9.95 ? 0 : absolute >= 0.995 ? 1 : 2;
    }

    /** A number with at most this many decimals, without trailing zeros. */
    public static String number(double number, int decimals) {
        return withoutZeros(Math.abs(number) < 999 ? fixed(number, decimals) : format("%,." + decimals + "f", number));
    }

    /**
     * A number with so many decimals, as {@link String#format} writes it. The JDK's formatter loads sixty classes, so
     * it writes only what is seldom written: negative numbers, and those that are not finite.
     */
    public static String fixed(double number, int decimals) {
        return Double.isFinite(number) && Math.copySign(1, number) > 0
                ? BigDecimal.valueOf(number)
                        .setScale(decimals, RoundingMode.HALF_UP)
                        .toPlainString()
                : String.format(Locale.ROOT, "%." + decimals + "f", number);
    }

    private static String withoutZeros(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }
}
