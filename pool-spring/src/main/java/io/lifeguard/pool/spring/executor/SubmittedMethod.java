package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.Tasks;
import java.util.concurrent.Callable;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/**
 * Remembers the {@code @Async} method that the current thread is submitting, or the {@code @Scheduled} method. Comes
 * before Spring's interceptor, which makes a task of the call and submits that to an executor within it. An
 * instrumented pool of Spring takes the name of the method for its first task from then on. Otherwise the tasks of all
 * {@code @Async} methods would be one kind, the lambda of that interceptor. Stateless but for the thread's current
 * method.
 */
final class SubmittedMethod implements MethodInterceptor {

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        String outer = CURRENT.get(); // of an @Async method whose executor calls this one while it accepts the task
        CURRENT.set(type.getName() + '.' + call.getMethod().getName());
        try {
            return call.proceed();
        } finally {
            restore(outer);
        }
    }

    /** Submits a task of a method, which an instrumented pool then counts under the method. */
    static void whileSubmitting(String method, Runnable submission) {
        String outer = CURRENT.get();
        CURRENT.set(method);
        try {
            submission.run();
        } finally {
            restore(outer);
        }
    }

    private static void restore(@Nullable String outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /** {@return the task, under the name of the method that is being submitted, if there is one} */
    static Runnable name(Runnable task) {
        String method = task == null ? null : take();
        return method == null ? task : Tasks.named(method, task);
    }

    /** {@return the same for a callable} */
    static <T> Callable<T> name(Callable<T> task) {
        String method = task == null ? null : take();
        return method == null ? task : Tasks.named(method, task);
    }

    /** Once only: the submitter may run the task itself, and its own submissions have other names. */
    private static @Nullable String take() {
        String method = CURRENT.get();
        if (method != null) {
            CURRENT.remove();
        }
        return method;
    }
}
