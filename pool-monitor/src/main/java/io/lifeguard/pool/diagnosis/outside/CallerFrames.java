package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognises, by their stacks, submitters that run the tasks of one of the JDK's pools themselves. Stateless.
 *
 * <p>Such a thread has the handler's {@code rejectedExecution} on its stack, and the task's first method above. The
 * stack does not show which pool that is. A worker of that pool runs tasks that begin with the same method.
 */
public final class CallerFrames {

    private static final String POOL = "java.util.concurrent.ThreadPoolExecutor";

    private CallerFrames() {}

    /**
     * {@return the first method of the task that a thread runs as a caller, as {@code com.example.Orders.run}; empty
     * when it runs none}
     *
     * @param stack the thread's stack, top first, not null
     */
    public static Optional<String> taskRunByCaller(List<StackTraceElement> stack) {
        int rejected = lowest(stack, "rejectedExecution", "");
        return rejected > 0 && isRun(stack.get(rejected - 1), stack.get(rejected))
                ? Optional.ofNullable(firstMethod(stack, rejected))
                : Optional.empty();
    }

    /**
     * {@return the first method of the task that a worker runs; empty when it runs none, or only code of the JDK}
     *
     * @param stack the worker's stack, top first, not null
     */
    public static Optional<String> taskRunByWorker(List<StackTraceElement> stack) {
        int begin = lowest(stack, "runWorker", POOL);
        return begin > 0 ? Optional.ofNullable(firstMethod(stack, begin)) : Optional.empty();
    }

    /**
     * {@return whether a handler called a task's method rather than a helper of its own or a queue} A lambda's
     * {@code run} is on the stack in Java 17, and hidden in later ones.
     */
    private static boolean isRun(StackTraceElement called, StackTraceElement handler) {
        return called.getMethodName().equals("run")
                || (!UserFrames.isJdk(called) && !called.getClassName().equals(handler.getClassName()));
    }

    private static int lowest(List<StackTraceElement> stack, String method, String type) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            StackTraceElement frame = stack.get(i);
            if (frame.getMethodName().equals(method) && frame.getClassName().startsWith(type)) {
                return i;
            }
        }
        return -1;
    }

    /** The method of a task that was called first: the lowest one above a frame that is not of the JDK. */
    private static @Nullable String firstMethod(List<StackTraceElement> stack, int above) {
        for (int i = above - 1; i >= 0; i--) {
            StackTraceElement frame = stack.get(i);
            if (!UserFrames.isJdk(frame)) {
                return frame.getClassName() + '.' + frame.getMethodName();
            }
        }
        return null;
    }
}
