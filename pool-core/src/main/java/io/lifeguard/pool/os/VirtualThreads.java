package io.lifeguard.pool.os;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes factories of virtual threads. Stateless.
 *
 * <p>{@code Thread.ofVirtual()} is looked up at run time, because this library also runs on Java 17.
 */
public final class VirtualThreads {

    private static final int FIRST = 21;

    private VirtualThreads() {}

    public static boolean exist() {
        return Runtime.version().feature() >= FIRST;
    }

    /**
     * {@return a factory of virtual threads that are called {@code poolName-1}, {@code poolName-2}, …} They do not
     * inherit the values of inheritable thread-locals: one thread runs tasks of several submitters. Their context class
     * loader is that of the thread that calls this method, as it is in a pool of platform threads. Without that the JVM
     * would give them the system's class loader, which does not find the classes of an application in a container or a
     * jar of jars.
     *
     * @throws UnsupportedOperationException before Java 21
     */
    public static ThreadFactory factory(String poolName) {
        ThreadFactory threads = make(poolName + "-");
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setContextClassLoader(loader);
            return thread;
        };
    }

    /**
     * {@return a factory of virtual threads as {@code Executors.newVirtualThreadPerTaskExecutor()} has them: without
     * names, and with the values of inheritable thread-locals}
     *
     * @throws UnsupportedOperationException before Java 21
     */
    public static ThreadFactory unnamed() {
        return make(null);
    }

    private static ThreadFactory make(@Nullable String prefix) {
        if (!exist()) {
            throw new UnsupportedOperationException("virtual threads need Java " + FIRST + " or newer (this is Java "
                    + Runtime.version().feature() + ")");
        }
        try {
            Lookup lookup = MethodHandles.publicLookup();
            Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(type));
            MethodHandle name = lookup.findVirtual(type, "name", MethodType.methodType(type, String.class, long.class));
            MethodHandle inherit = lookup.findVirtual(
                    type, "inheritInheritableThreadLocals", MethodType.methodType(type, boolean.class));
            MethodHandle factory = lookup.findVirtual(type, "factory", MethodType.methodType(ThreadFactory.class));
            Object builder = ofVirtual.invoke();
            if (prefix != null) {
                builder = inherit.invoke(name.invoke(builder, prefix, 1L), false);
            }
            return (ThreadFactory) factory.invoke(builder);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.ofVirtual() failed", e);
        }
    }
}
