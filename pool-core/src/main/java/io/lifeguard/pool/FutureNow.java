package io.lifeguard.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.FutureTask;

/**
 * {@code super.exceptionNow()} and {@code super.resultNow()} of {@link FutureTask}, which are there from Java 19 on, for code that is
 * compiled for 17. Stateless.
 */
final class FutureNow {

    private static final MethodHandle EXCEPTION = find("exceptionNow", Throwable.class);
    private static final MethodHandle RESULT = find("resultNow", Object.class);

    private FutureNow() {}

    static Throwable exception(MeasuredFutureTask<?> future) {
        return (Throwable) call(EXCEPTION, future);
    }

    @SuppressWarnings("unchecked") // what FutureTask<T> answers
    static <T> T result(MeasuredFutureTask<T> future) {
        return (T) call(RESULT, future);
    }

    private static Object call(MethodHandle method, MeasuredFutureTask<?> future) {
        try {
            return (Object) method.invoke(future);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new AssertionError("neither method declares a checked exception", impossible);
        }
    }

    private static MethodHandle find(String name, Class<?> result) {
        MethodType type = MethodType.methodType(result);
        try {
            return MeasuredFutureTask.superMethods()
                    .findSpecial(FutureTask.class, name, type, MeasuredFutureTask.class);
        } catch (NoSuchMethodException beforeJava19) {
            return MethodHandles.dropArguments(
                    MethodHandles.throwException(result, UnsupportedOperationException.class)
                            .bindTo(new UnsupportedOperationException(name + " needs Java 19")),
                    0,
                    MeasuredFutureTask.class);
        } catch (IllegalAccessException e) {
            throw new AssertionError(name + " is public", e);
        }
    }
}
