package io.lifeguard.examples;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * The arguments of a command, {@code --name value} or {@code --name=value}, read from left to right. An invalid one is
 * an {@link IllegalArgumentException} whose message names the option and its value. Not thread-safe.
 */
public final class Arguments {

    private final Deque<String> left;

    /** Starts before the first argument. */
    public Arguments(List<String> arguments) {
        left = new ArrayDeque<>(arguments);
    }

    /** Returns whether all arguments have been read. */
    public boolean isEmpty() {
        return left.isEmpty();
    }

    /**
     * Returns the next option or word. Of {@code --name=value} it returns the name; {@link #value} then returns the
     * value.
     */
    public String option() {
        String option = left.remove();
        int equals = option.startsWith("--") ? option.indexOf('=') : -1;
        if (equals < 0) {
            return option;
        }
        left.push(option.substring(equals + 1));
        return option.substring(0, equals);
    }

    /** Returns the value of the option. */
    public String value(String option) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.remove();
    }

    /** Returns the value of the option as a number. */
    public int number(String option, int least, int most) {
        return number(option, value(option), least, most);
    }

    /** Returns the text, which is the value of the option, as a number. */
    public static int number(String option, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException ignored) {
            // the message below covers this case
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "%s must be a whole number from %d to %d (was \"%s\")",
                option,
                least,
                most,
                printable(text)));
    }

    /** Returns the exception to throw for an option that does not exist. */
    public static IllegalArgumentException unknown(String option) {
        return new IllegalArgumentException("there is no option \"" + printable(option) + "\"");
    }

    /** Returns the text without characters that could control the terminal or change the direction of writing. */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "?");
    }
}
