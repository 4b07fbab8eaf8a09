package io.lifeguard.pool.os;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/**
 * Makes factories of virtual threads. Stateless.
 *
 * <p>{@code Thread.ofVirtual()} is looked up at run time, because this library also runs on Java 17.
 */
public final class VirtualThreads {

    private static final int FIRST = 21;

    private VirtualThreads() {}

    /** {@return whether this JVM has virtual threads} */
    public static boolean exist() {
        return Runtime.version().feature() >= FIRST;
    }

    /**
     * {@return a factory of virtual threads that are called {@code poolName-1}, {@code poolName-2}, …} They do not
     * inherit the values of inheritable thread-locals: one thread runs tasks of several submitters.
     *
     * @throws UnsupportedOperationException before Java 21
     */
    public static ThreadFactory factory(String poolName) {
        if (!exist()) {
            throw new UnsupportedOperationException("virtual threads need Java " + FIRST + " or newer (this is Java "
                    + Runtime.version().feature() + ")");
        }
        try {
            Lookup lookup = MethodHandles.publicLookup();
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
            MethodHandle name =
                    lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class, long.class));
            MethodHandle inherit = lookup.findVirtual(
                    builder, "inheritInheritableThreadLocals", MethodType.methodType(builder, boolean.class));
            MethodHandle factory = lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class));
            Object named = name.invoke(ofVirtual.invoke(), poolName + "-", 1L);
            return (ThreadFactory) factory.invoke(inherit.invoke(named, false));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.ofVirtual() failed", e);
        }
    }
}
