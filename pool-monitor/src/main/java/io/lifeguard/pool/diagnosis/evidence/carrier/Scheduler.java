package io.lifeguard.pool.diagnosis.evidence.carrier;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads the management bean of the scheduler of virtual threads, which exists from Java 24 on. Thread-safe.
 *
 * <p>The bean's interface is public, and is looked up at run time because this library also runs on Java 17. The
 * platform's MBean server is left alone: it would load all beans of the JVM, those of the flight recorder included.
 */
final class Scheduler {

    private static final String BEAN = "jdk.management.VirtualThreadSchedulerMXBean";

    private final MethodHandle parallelism;
    private final MethodHandle mounted;
    private final MethodHandle queued;

    private Scheduler(Class<? extends PlatformManagedObject> type) throws ReflectiveOperationException {
        Object bean = ManagementFactory.getPlatformMXBean(type);
        this.parallelism = number(type, bean, "getParallelism", int.class);
        this.mounted = number(type, bean, "getMountedVirtualThreadCount", int.class);
        this.queued = number(type, bean, "getQueuedVirtualThreadCount", long.class);
    }

    private static MethodHandle number(Class<?> type, Object bean, String getter, Class<?> result)
            throws ReflectiveOperationException {
        return MethodHandles.publicLookup()
                .findVirtual(type, getter, MethodType.methodType(result))
                .bindTo(bean)
                .asType(MethodType.methodType(long.class));
    }

    /** {@return the scheduler of this JVM; null where there is no such bean} */
    static @Nullable Scheduler ofThisJvm() {
        try {
            return new Scheduler(Class.forName(BEAN).asSubclass(PlatformManagedObject.class));
        } catch (ReflectiveOperationException | RuntimeException e) { // before Java 24, or a runtime without the module
            return null;
        }
    }

    int parallelism() {
        return (int) read(parallelism);
    }

    int mounted() {
        return (int) read(mounted);
    }

    /** {@return how many virtual threads could run and have no carrier} */
    long queued() {
        return read(queued);
    }

    private static long read(MethodHandle getter) {
        try {
            return (long) getter.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a getter of " + BEAN + " failed", e);
        }
    }
}
