package io.lifeguard.pool.diagnosis.external;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Calls public getters of libraries that are not there at compile time. Stateless. */
final class PublicGetters {

    private PublicGetters() {}

    /** {@return the class of that name among an object's class and its superclasses; null if there is none} */
    static @Nullable Class<?> superclass(Object of, String name) {
        for (Class<?> each = of.getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /**
     * {@return a getter that takes any object}
     *
     * @throws IllegalArgumentException if the class has none of that name and result
     */
    static MethodHandle of(Class<?> type, String method, Class<?> result) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(type, method, MethodType.methodType(result))
                    .asType(MethodType.methodType(result, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getName() + " must have the method " + method + " (found none)", e);
        }
    }

    /** Getters declare no exception. */
    static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
}
