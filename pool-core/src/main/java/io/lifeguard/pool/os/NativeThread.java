package io.lifeguard.pool.os;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the number by which Linux knows a thread. Stateless. */
public final class NativeThread {

    private static final Path CURRENT = Path.of("/proc/thread-self");

    /** {@code Thread.isVirtual()}, which exists since Java 21; otherwise null. */
    private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

    private NativeThread() {}

    /** The number of the calling thread, {@link Unknown#NUMBER} for a virtual thread and on other systems. */
    public static long currentId() {
        if (isVirtual(Thread.currentThread())) {
            return Unknown.NUMBER;
        }
        try {
            String path = Files.readSymbolicLink(CURRENT).toString();
            return Long.parseLong(path, path.lastIndexOf('/') + 1, path.length(), 10);
        } catch (IOException | RuntimeException ignored) { // not Linux
            return Unknown.NUMBER;
        }
    }

    private static @Nullable MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException ignored) { // before Java 21
            return null;
        }
    }

    /** Whether it is a virtual thread; false before Java 21. */
    public static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual() failed", e);
        }
    }
}
