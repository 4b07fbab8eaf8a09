package io.lifeguard.pool.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the number by which Linux knows a thread. Stateless. */
public final class NativeThread {

    private static final Path CURRENT = Path.of("/proc/thread-self"); // its link costs a tenth of its stat

    /** The class of all virtual threads, which exists since Java 21; otherwise null. */
    private static final @Nullable Class<?> VIRTUAL = findVirtual();

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

    /**
     * {@code Thread.isVirtual()}, which Java 17 does not have, asks whether the thread is of this class. A method
     * handle for it would cost the first worker of the JVM some milliseconds.
     */
    private static @Nullable Class<?> findVirtual() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException | LinkageError ignored) { // before Java 21
            return null;
        }
    }

    /** Whether it is a virtual thread; false before Java 21. */
    public static boolean isVirtual(Thread thread) {
        return VIRTUAL != null && VIRTUAL.isInstance(thread);
    }
}
