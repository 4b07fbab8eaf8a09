package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.Tasks;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.DelegatingErrorHandlingRunnable;

/**
 * Names the tasks of {@code @Scheduled} methods after these methods. Spring wraps each in a task that handles its
 * errors, and says what is inside: {@code DelegatingErrorHandlingRunnable for com.example.Orders.cleanUp}. Stateless.
 */
final class ScheduledMethods {

    private static final Pattern METHOD =
            Pattern.compile("(?:DelegatingErrorHandlingRunnable for )?((?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)+[\\p{L}_$]"
                    + "[\\p{L}\\p{N}_$]*)");

    private ScheduledMethods() {}

    /** {@return the task, under the name of its method, if it is Spring's task and says so} */
    static Runnable name(Runnable task) {
        String method = methodOf(task);
        return method == null ? task : Tasks.named(method, task);
    }

    /** {@return class and method of Spring's task; null if it is another task or does not say so} */
    static @Nullable String methodOf(Runnable task) {
        if (task instanceof DelegatingErrorHandlingRunnable) {
            Matcher method = METHOD.matcher(task.toString());
            if (method.matches()) {
                return method.group(1);
            }
        }
        return null;
    }
}
