package io.lifeguard.examples;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * What the user typed behind a command, {@code --name value} or {@code --name=value}, from left to right. What makes no sense is an
 * {@link IllegalArgumentException} whose message names it and its value. Not thread-safe.
 */
public final class Arguments {

    private final Deque<String> left;

    /** Begins with the first. */
    public Arguments(List<String> arguments) {
        left = new ArrayDeque<>(arguments);
    }

    /** Returns whether nothing is left. */
    public boolean isEmpty() {
        return left.isEmpty();
    }

    /** Returns the next option, or what stands in the place of one. Of {@code --name=value} it is the name, and the value is next. */
    public String option() {
        String option = left.remove();
        int equals = option.startsWith("--") ? option.indexOf('=') : -1;
        if (equals < 0) {
            return option;
        }
        left.push(option.substring(equals + 1));
        return option.substring(0, equals);
    }

    /** Returns what stands behind the option. */
    public String value(String option) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value behind it");
        }
        return left.remove();
    }

    /** Returns the number behind the option. */
    public int number(String option, int least, int most) {
        return number(option, value(option), least, most);
    }

    /** Returns the number that the text is, which stands behind the option. */
    public static int number(String option, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "%s must be a whole number from %d to %d (was \"%s\")",
                option,
                least,
                most,
                printable(text)));
    }

    /** Returns what to throw when there is no such option. */
    public static IllegalArgumentException unknown(String option) {
        return new IllegalArgumentException("there is no option \"" + printable(option) + "\"");
    }

    /** Returns the text without characters that could command the terminal or turn a line round. */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "?");
    }
}
