package io.lifeguard.pool.agent.inside;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Reads the task that a thread was made with. Stateless. */
final class ThreadTask {

    private static final @Nullable Field HOLDER = field(Thread.class, "holder"); // from 19 on
    private static final @Nullable Field TASK =
            HOLDER == null ? field(Thread.class, "target") : field(HOLDER.getType(), "task");

    private ThreadTask() {}

    /** {@return a field that may be read; null if there is none of that name, or reading is not allowed} */
    static @Nullable Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            return field.trySetAccessible() ? field : null;
        } catch (NoSuchFieldException ignored) { // of another version of Java
            return null;
        }
    }

    /** {@return the thread's task; null if it has none, has ended, or the JDK keeps it in an unknown place} */
    static @Nullable Runnable of(Thread thread) {
        try {
            Object holder = HOLDER == null ? thread : HOLDER.get(thread);
            return TASK == null || holder == null ? null : (Runnable) TASK.get(holder);
        } catch (IllegalAccessException ignored) { // it was made accessible
            return null;
        }
    }
}
