package io.lifeguard.pool.os;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's clock of threads' CPU time, in user mode and in the kernel. Thread-safe.
 *
 * <p>The user-time clock of the same bean is not used: it parses a text file and costs twenty times as much.
 */
public final class ThreadCpuTime {

    /*
     * No static initialiser: one that fails once, for want of memory, would fail forever. The first call loads 170
     * classes of the JDK.
     */

    // Written by any thread that finds null, always with the same bean. A stale read asks the JVM once more.
    private static volatile @Nullable ThreadMXBean bean;

    private ThreadCpuTime() {}

    /** Loads this class only. */
    public static void prepare() {}

    private static ThreadMXBean bean() {
        ThreadMXBean known = bean;
        if (known == null) {
            known = ManagementFactory.getThreadMXBean();
            bean = known;
        }
        return known;
    }

    /** Whether this virtual machine has such a clock. It may still not know the time of a particular thread. */
    public static boolean isSupported() {
        return bean().isCurrentThreadCpuTimeSupported();
    }

    /**
     * Returns the CPU time of the calling thread in nanoseconds, or {@link Unknown#NUMBER} on a virtual thread, on a
     * system without the clock, and while CPU timing is switched off.
     */
    public static long ofCurrentThread() {
        // Asked first, because the clock throws on a virtual thread, which costs as much as a short task.
        if (NativeThread.isVirtual(Thread.currentThread())) {
            return Unknown.NUMBER;
        }
        try {
            return bean().getCurrentThreadCpuTime();
        } catch (UnsupportedOperationException | LinkageError ignored) { // no clock, or no java.management
            return Unknown.NUMBER;
        }
    }

    /** The same of any live thread, by its {@linkplain Thread#getId() number}. */
    public static long of(long threadId) {
        try {
            return bean().getThreadCpuTime(threadId);
        } catch (UnsupportedOperationException | LinkageError ignored) { // or it knows its own time only
            return Unknown.NUMBER;
        }
    }
}
