package io.lifeguard.pool.os;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The number by which Linux knows a thread of this process. Immutable, thread-safe. On other systems the number is
 * {@link #UNKNOWN}.
 */
public final class NativeThread {

    /** The answer where the system has none. */
    public static final long UNKNOWN = -1;

    private static final Path CURRENT = Path.of("/proc/thread-self");

    /** {@code Thread.isVirtual()}, where the JDK has it: since 21. */
    private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

    private final long id;

    private NativeThread(long id) {
        this.id = id;
    }

    /** The calling thread; a virtual one has no number of its own, and is unknown. */
    public static NativeThread current() {
        if (isVirtual(Thread.currentThread())) {
            return new NativeThread(UNKNOWN);
        }
        try {
            return new NativeThread(
                    Long.parseLong(Files.readSymbolicLink(CURRENT).getFileName().toString()));
        } catch (IOException | RuntimeException ignored) { // not Linux
            return new NativeThread(UNKNOWN);
        }
    }

    /** The system's number of the thread, or {@link #UNKNOWN}. */
    public long id() {
        return id;
    }

    private static @Nullable MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException ignored) { // before Java 21
            return null;
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual() failed", e);
        }
    }
}
