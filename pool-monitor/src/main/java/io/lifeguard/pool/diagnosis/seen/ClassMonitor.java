package io.lifeguard.pool.diagnosis.seen;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the class whose monitor is waited for, as that of a {@code static synchronized} method. Stateless.
 *
 * <p>The JDK says only {@code java.lang.Class@4cdf35a9}. A thread that waits for the monitor of a class mostly runs a
 * method of that class. So the classes on its stack are tried, and the one with the same identity is it. A class on a
 * stack is loaded, so nothing is initialised.
 */
public final class ClassMonitor {

    private static final String CLASS = "java.lang.Class@";

    /** 12 frames: code rarely locks another class than its own from further up the stack. */
    private static final int FRAMES = 12;

    private ClassMonitor() {}

    /**
     * {@return the class, as {@code class com.example.Orders}; null when the lock is no class, or none of those on the
     * stack}
     */
    public static @Nullable String name(String lock, List<StackTraceElement> stack, Thread waiter) {
        if (!lock.startsWith(CLASS)) {
            return null;
        }
        Set<String> tried = new HashSet<>();
        for (StackTraceElement frame : stack.subList(0, Math.min(FRAMES, stack.size()))) {
            if (tried.add(frame.getClassName()) && isLock(frame.getClassName(), lock, waiter)) {
                return "class " + frame.getClassName();
            }
        }
        return null;
    }

    private static boolean isLock(String className, String lock, Thread waiter) {
        for (ClassLoader loader : loaders(waiter)) {
            try {
                Class<?> found = Class.forName(className, false, loader);
                if (lock.equals(CLASS + Integer.toHexString(System.identityHashCode(found)))) {
                    return true;
                }
            } catch (ClassNotFoundException | LinkageError | RuntimeException ignored) {
                // The class is of another loader. The lock keeps the name that the JDK gives it.
            }
        }
        return false;
    }

    /** Leaves out class loaders that load under a lock of their own: the waited-for thread may hold that lock. */
    private static List<ClassLoader> loaders(Thread waiter) {
        List<ClassLoader> loaders = new ArrayList<>();
        for (ClassLoader loader :
                new ClassLoader[] {waiter.getContextClassLoader(), ClassLoader.getSystemClassLoader()}) {
            if (loader != null && loader.isRegisteredAsParallelCapable() && !loaders.contains(loader)) {
                loaders.add(loader);
            }
        }
        return loaders;
    }
}
