package io.lifeguard.pool.text;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure of users' code as the log may print it: its text, name and all, and that of its causes cannot begin a new line or colour one.
 * Immutable.
 */
public final class CleanFailure extends Throwable {

    private static final long serialVersionUID = 1;
    private static final int MOST_CAUSES = 20;

    private CleanFailure(String text, @Nullable Throwable cause, StackTraceElement[] stack) {
        super(text, cause, false, true);
        setStackTrace(stack);
    }

    /** The failure itself where its text is harmless, else one that looks like it. */
    public static Throwable of(Throwable failure) {
        return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Throwable of(Throwable failure, Set<Throwable> seen) {
        String text = textOf(failure);
        String clean = LogText.clean(text);
        Throwable cause = causeOf(failure);
        boolean ends = !seen.add(failure) || seen.size() > MOST_CAUSES;
        Throwable cleanCause = cause == null || ends ? null : of(cause, seen);
        boolean isHarmless = clean.equals(text) && cleanCause == cause && failure.getSuppressed().length == 0;
        return isHarmless ? failure : new CleanFailure(clean, cleanCause, failure.getStackTrace());
    }

    private static String textOf(Throwable failure) {
        try {
            return String.valueOf(failure);
        } catch (Throwable another) {
            return failure.getClass().getName() + ", which cannot say what it is";
        }
    }

    private static @Nullable Throwable causeOf(Throwable failure) {
        try {
            return failure.getCause();
        } catch (Throwable another) {
            return null;
        }
    }
}
