package io.lifeguard.pool.compat;

import io.lifeguard.pool.InstrumentedExecutors;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The static factory methods of one class, with the names that {@link Executors} has. They are called by name, because
 * some exist only on newer JDKs, and the suite is compiled for the oldest. Immutable.
 */
final class FactorySet {

    /** The class that all others are compared with. */
    static final FactorySet STOCK = new FactorySet(Executors.class);

    /** The class of this library. */
    static final FactorySet INSTRUMENTED = new FactorySet(InstrumentedExecutors.class);

    private final Class<?> holder;

    FactorySet(Class<?> holder) {
        this.holder = holder;
    }

    Class<?> holder() {
        return holder;
    }

    boolean has(String method, Class<?>... types) {
        return find(holder, method, types) != null;
    }

    ExecutorService make(String method) {
        return (ExecutorService) call(method, new Class<?>[0]);
    }

    ExecutorService make(String method, int size) {
        return (ExecutorService) call(method, new Class<?>[] {int.class}, size);
    }

    ExecutorService make(String method, ThreadFactory factory) {
        return (ExecutorService) call(method, new Class<?>[] {ThreadFactory.class}, factory);
    }

    ExecutorService make(String method, int size, ThreadFactory factory) {
        return (ExecutorService) call(method, new Class<?>[] {int.class, ThreadFactory.class}, size, factory);
    }

    ScheduledExecutorService singleScheduled() {
        return (ScheduledExecutorService) make("newSingleThreadScheduledExecutor");
    }

    /** A method that the holder lacks is taken from {@link Executors}, so that a wrong set needs only wrong methods. */
    private Object call(String name, Class<?>[] types, Object... arguments) {
        Method method = find(holder, name, types);
        if (method == null) {
            method = find(Executors.class, name, types);
        }
        if (method == null) {
            throw new AssertionError("No factory method " + name);
        }
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            Sneaky.raise(e.getCause());
            throw new AssertionError(e);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Method find(Class<?> type, String name, Class<?>... types) {
        try {
            Method method = type.getDeclaredMethod(name, types);
            method.trySetAccessible();
            return method;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return holder.getSimpleName();
    }
}
