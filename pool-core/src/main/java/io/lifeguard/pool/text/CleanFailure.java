package io.lifeguard.pool.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a failure of user code that is safe to log. Its text and frames cannot start a new line or colour one. The
 * same holds for its causes and suppressed failures. Immutable except for the list of suppressed failures.
 */
public final class CleanFailure extends Throwable {

    private static final long serialVersionUID = 1;

    /** The number of causes and suppressed failures to copy. It is limited, because a failure can be its own cause. */
    private static final int MOST = 20;

    private CleanFailure(
            String text, @Nullable Throwable cause, List<Throwable> suppressed, List<StackTraceElement> stack) {
        super(text, cause, true, true);
        setStackTrace(stack.toArray(new StackTraceElement[0]));
        suppressed.forEach(this::addSuppressed);
    }

    /** Returns the failure itself if its text is harmless, otherwise a copy with clean text. */
    public static Throwable of(Throwable failure) {
        return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Throwable of(Throwable failure, Set<Throwable> seen) {
        boolean ends = !seen.add(failure) || seen.size() > MOST;
        String ownText = ask(() -> String.valueOf(failure));
        String text = ownText == null ? failure.getClass().getName() + ", which cannot say what it is" : ownText;
        String message = ask(failure::getMessage); // some loggers print the message instead
        Throwable cause = ask(failure::getCause);
        Throwable cleanCause = cause == null || ends ? null : of(cause, seen);
        boolean suppressedAreHarmless = true;
        List<Throwable> cleanSuppressed = new ArrayList<>();
        for (Throwable suppressed : failure.getSuppressed()) {
            Throwable clean = ends || seen.size() > MOST ? null : of(suppressed, seen);
            suppressedAreHarmless &= clean == suppressed;
            if (clean != null) {
                cleanSuppressed.add(clean);
            }
        }
        List<StackTraceElement> stack = stackOf(failure);
        List<StackTraceElement> cleanStack =
                stack.stream().map(CleanFailure::clean).toList();
        boolean isHarmless = isClean(text)
                && (message == null || isClean(message))
                && cleanCause == cause
                && suppressedAreHarmless
                && cleanStack.equals(stack);
        return isHarmless ? failure : new CleanFailure(LogText.clean(text), cleanCause, cleanSuppressed, cleanStack);
    }

    private static boolean isClean(String text) {
        return LogText.clean(text).equals(text);
    }

    /** User code can set the frames of a failure to any text, and to null. */
    private static List<StackTraceElement> stackOf(Throwable failure) {
        StackTraceElement[] stack = ask(failure::getStackTrace);
        return stack == null
                ? List.of()
                : Arrays.stream(stack).filter(Objects::nonNull).toList();
    }

    private static StackTraceElement clean(StackTraceElement frame) {
        if (isClean(frame.toString())) {
            return frame;
        }
        String file = frame.getFileName();
        return new StackTraceElement(
                LogText.clean(frame.getClassName()),
                LogText.clean(frame.getMethodName()),
                file == null ? null : LogText.clean(file),
                frame.getLineNumber());
    }

    /** The result of a method that user code may have overridden. Null if the method throws. */
    private static <T> @Nullable T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (Throwable ignored) { // user code may throw anything
            return null;
        }
    }
}
