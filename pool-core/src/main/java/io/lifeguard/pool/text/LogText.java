package io.lifeguard.pool.text;

import java.util.Locale;

/** Text of users made safe for one line of a log: it cannot begin a new one, colour it, turn it round, or fill the disk. Stateless. */
public final class LogText {

    private static final int LONGEST = 2_000;
    private static final int LONGEST_NAME = 200;

    private LogText() {}

    /**
     * A text in which what is no visible character is written as an escape of Java's.
     *
     * @param text any, not null
     * @return the text, cut where it is very long
     */
    public static String clean(String text) {
        return clean(text, LONGEST);
    }

    /**
     * As {@link #clean(String)}, but no longer than a name.
     *
     * @param text any, not null
     * @return the text, cut where it is longer than a name
     */
    public static String shortened(String text) {
        return clean(text, LONGEST_NAME);
    }

    /**
     * A name in quotes that it cannot close.
     *
     * @param name any, not null
     * @return the name, cut where it is very long
     */
    public static String name(String name) {
        return "'" + clean(name, LONGEST_NAME).replace("'", "\\'") + "'";
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
