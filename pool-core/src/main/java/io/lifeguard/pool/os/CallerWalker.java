package io.lifeguard.pool.os;

import org.jspecify.annotations.Nullable;

/** Walks the caller's stack. Thread-safe. */
public final class CallerWalker {

    public static final StackWalker NAMES = StackWalker.getInstance();

    /** Null where a security manager forbids it: callers do without. */
    public static final @Nullable StackWalker WITH_CLASSES = withClasses();

    private CallerWalker() {}

    private static @Nullable StackWalker withClasses() {
        try {
            return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        } catch (SecurityException ignored) { // thrown on, it would reach the user, and fail for the life of the JVM
            return null;
        }
    }

    /** {@return the name of the class that calls the caller of this method} */
    public static String nameOfCaller() {
        return NAMES.walk(frames -> frames.skip(2).findFirst().orElseThrow().getClassName());
    }
}
