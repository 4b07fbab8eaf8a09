package io.lifeguard.pool.spring.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Collection;
import org.springframework.boot.convert.DurationStyle;

/** The bounds of a property, inclusive. Written as in a property file, for instance {@code 10ms} or {@code 32767}. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@interface Between {

    /** The least value. */
    String least();

    /** The greatest value. */
    String most();

    /** Checks bound values. Stateless. */
    final class Check {

        private Check() {}

        /** Whether a duration, a number, or each number of a collection lies within the bounds. */
        static boolean holds(Between bounds, Object value) {
            if (value instanceof Collection<?> values) {
                return values.stream().allMatch(each -> holds(bounds, each));
            }
            double amount = amount(value);
            return amount >= amount(bounds.least()) && amount <= amount(bounds.most());
        }

        private static double amount(Object value) {
            if (value instanceof Duration duration) {
                return duration.toSeconds() + duration.toNanosPart() * 1e-9;
            }
            return value instanceof Number number ? number.doubleValue() : amount(parse(value.toString()));
        }

        private static Object parse(String bound) {
            char last = bound.charAt(bound.length() - 1);
            return Character.isDigit(last) ? Double.valueOf(bound) : DurationStyle.SIMPLE.parse(bound);
        }
    }
}
