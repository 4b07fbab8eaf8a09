package io.lifeguard.pool.tools;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the numbers among the arguments of commands. Stateless. */
final class Numbers {

    private Numbers() {}

    private static long positive(String digits, long most) {
        try {
            long number = Long.parseLong(digits);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException ignored) {
            // said below
        }
        throw new TypeConversionException("it must be a number >= 1 (was " + digits + ")");
    }

    /** A number of things, at least 1. */
    static final class Positive implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String digits) {
            return (int) positive(digits, Integer.MAX_VALUE);
        }
    }

    /** The number of a process, at least 1. */
    static final class Pid implements ITypeConverter<Long> {

        @Override
        public Long convert(String digits) {
            return positive(digits, Long.MAX_VALUE);
        }
    }
}
