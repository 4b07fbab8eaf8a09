package io.lifeguard.pool.diagnosis.external;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Calls public getters of a class of a library that is not there at compile time. Thread-safe. */
final class PublicGetters {

    private final Class<?> type;
    private final Map<String, MethodHandle> found = new ConcurrentHashMap<>();

    PublicGetters(Class<?> type) {
        this.type = type;
    }

    /** {@return the class of that name among an object's class and its superclasses; null if there is none} */
    static @Nullable Class<?> superclass(Object of, String name) {
        for (Class<?> each = of.getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(name)) {
                return each;
            }
        }
        return null;
    }

    int number(Object of, String getter) {
        return (int) call(of, getter, int.class);
    }

    /**
     * {@return what a getter returns}
     *
     * @throws IllegalArgumentException if the class has none of that name and result
     */
    Object call(Object of, String getter, Class<?> result) {
        MethodHandle method = found.computeIfAbsent(getter, name -> find(name, result));
        try {
            return (Object) method.invokeExact(of);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // getters declare no exception
            throw new IllegalStateException(e);
        }
    }

    private MethodHandle find(String getter, Class<?> result) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(type, getter, MethodType.methodType(result))
                    .asType(MethodType.genericMethodType(1));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getName() + " must have the method " + getter + " (found none)", e);
        }
    }
}
