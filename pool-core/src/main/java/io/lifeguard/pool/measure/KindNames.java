package io.lifeguard.pool.measure;

/**
 * Makes the names under which the kinds of tasks are reported. Thread-safe. The only state is a cache that lives in the
 * classes themselves.
 */
public final class KindNames {

    /** The longest name in characters: long enough for a class name, too short for a serialised request. */
    static final int LONGEST = 200;

    private static final String LAMBDA = "$$Lambda";

    // The JVM keeps a computed name inside its class. So a name is made once per class, and no class is kept alive.
    // The value is a String, so a class does not keep the loader of this library alive either.
    private static final ClassValue<String> OF_CLASS = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return clean(readable(type.getName()));
        }
    };

    private KindNames() {}

    /** The kind of the tasks of a class. For a lambda it names the class whose source contains the lambda. */
    public static String of(Class<?> type) {
        return OF_CLASS.get(type);
    }

    /**
     * Makes a name fit for a table, a log line and a meter's tag. Replaces control characters and broken surrogates by
     * '?' and cuts after 200 characters. Never empty; the same object when there is nothing to change.
     */
    public static String clean(String name) {
        int length = name.length();
        if (length == 0) {
            return "?";
        }
        int end = Math.min(length, LONGEST);
        for (int i = 0; i < end; i++) {
            if (!isFit(name, i, end)) {
                return rewritten(name, end);
            }
        }
        return end == length ? name : name.substring(0, end);
    }

    private static String rewritten(String name, int end) {
        char[] chars = new char[end];
        for (int i = 0; i < end; i++) {
            chars[i] = isFit(name, i, end) ? name.charAt(i) : '?';
        }
        return new String(chars);
    }

    private static boolean isFit(String name, int i, int end) {
        char c = name.charAt(i);
        if (c >= ' ' && c < 0x7f) {
            return true;
        }
        if (Character.isHighSurrogate(c)) {
            return i + 1 < end && Character.isLowSurrogate(name.charAt(i + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return i > 0 && Character.isHighSurrogate(name.charAt(i - 1));
        }
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    private static String readable(String className) {
        int lambda = className.indexOf(LAMBDA);
        if (lambda > 0) {
            return className.substring(0, lambda) + " (lambda)";
        }
        int hidden = className.indexOf('/'); // the JVM's suffix of a hidden class, different for each
        return hidden > 0 ? className.substring(0, hidden) : className;
    }
}
