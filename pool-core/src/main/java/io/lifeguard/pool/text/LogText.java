package io.lifeguard.pool.text;

import java.util.Locale;

/**
 * Makes text from user code safe for one line of a log: the text cannot start a new line, colour it, reverse its
 * direction, or fill the disk. Stateless.
 */
public final class LogText {

    private static final int LONGEST = 2_000;
    private static final int LONGEST_NAME = 200;

    private LogText() {}

    /** The text with each invisible character written as a Java escape, cut after 2,000 characters. */
    public static String clean(String text) {
        return clean(text, LONGEST);
    }

    /** Like {@link #clean(String)}, cut after 200 characters. */
    public static String shortened(String text) {
        return clean(text, LONGEST_NAME);
    }

    /** A clean name in single quotes, cut after 200 characters. Quotes within the name are escaped. */
    public static String name(String name) {
        return "'" + shortened(name).replace("'", "\\'") + "'";
    }

    private static String clean(String text, int longest) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), longest) + 16);
        for (int i = 0; i < text.length(); ) {
            if (clean.length() >= longest) {
                return clean.append('…').toString();
            }
            int character = text.codePointAt(i);
            if (isVisible(character)) {
                clean.appendCodePoint(character);
            } else {
                clean.append(String.format(Locale.ROOT, "\\u%04x", character));
            }
            i += Character.charCount(character);
        }
        return clean.toString();
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
