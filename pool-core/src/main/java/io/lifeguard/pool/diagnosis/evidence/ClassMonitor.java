package io.lifeguard.pool.diagnosis.evidence;

import java.lang.management.LockInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which class it is whose monitor is waited for, as that of a {@code static synchronized} method. Stateless,
 * thread-safe.
 *
 * <p>The JDK says {@code java.lang.Class@4cdf35a9} and no more. A thread that waits for the monitor of a class mostly
 * runs a method of that class, so the classes on its stack are tried, and one is it if its identity is the same. A
 * class on a stack is loaded: nothing is initialised.
 */
final class ClassMonitor {

    /** As far up the stack as somebody locks another class than his own. */
    private static final int FRAMES = 12;

    private ClassMonitor() {}

    /**
     * The class, as {@code class com.example.Orders}; null when the lock is no class, or none of those on the stack.
     *
     * @param lock what is waited for
     * @param stack the stack of the thread that waits for it
     * @param waiter that thread
     */
    static @Nullable String name(LockInfo lock, List<StackTraceElement> stack, Thread waiter) {
        if (!lock.getClassName().equals(Class.class.getName())) {
            return null;
        }
        Set<String> tried = new HashSet<>();
        for (StackTraceElement frame : stack.subList(0, Math.min(FRAMES, stack.size()))) {
            if (tried.add(frame.getClassName()) && isIt(frame.getClassName(), lock, waiter)) {
                return "class " + frame.getClassName();
            }
        }
        return null;
    }

    private static boolean isIt(String className, LockInfo lock, Thread waiter) {
        for (ClassLoader loader : loaders(waiter)) {
            try {
                Class<?> found = Class.forName(className, false, loader);
                if (System.identityHashCode(found) == lock.getIdentityHashCode()) {
                    return true;
                }
            } catch (ClassNotFoundException | LinkageError | RuntimeException unknownThere) {
                // it is of another loader's; the lock is called what the JDK calls it
            }
        }
        return false;
    }

    /** Not one that loads under a lock of its own: the thread that has it may be the one that is waited for. */
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
