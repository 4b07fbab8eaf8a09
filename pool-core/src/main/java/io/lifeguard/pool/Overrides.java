package io.lifeguard.pool;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Asks whether a user's subclass overrides one of our methods. Stateless; looks at classes below ours only. */
final class Overrides {

    private Overrides() {}

    /** Whether a class between {@code type} (inclusive) and {@code base} (exclusive) declares the method. */
    static boolean isOverridden(Class<?> type, Class<?> base, String method, Class<?>... parameters) {
        for (Class<?> t = type; t != null && t != base; t = t.getSuperclass()) {
            if (declares(t, method, parameters)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
        try {
            return Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(m -> m.getName().equals(method) && hasParameters(m, parameters));
        } catch (NoClassDefFoundError notToBeSeen) {
            return true; // the careful answer: do not rely on the hook
        }
    }

    private static boolean hasParameters(Method method, Class<?>... parameters) {
        return Arrays.equals(method.getParameterTypes(), parameters);
    }
}
