package io.lifeguard.pool.os;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The JVM's clock of the calling thread's CPU time, in user mode and in the kernel. Thread-safe.
 *
 * <p>The user-time clock of the same bean is not used: it parses a text file and costs twenty times as much.
 */
public final class ThreadCpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean SUPPORTED = THREADS.isCurrentThreadCpuTimeSupported();

    private ThreadCpuTime() {}

    /** Whether this virtual machine has such a clock. It may still not know the time of a particular thread. */
    public static boolean isSupported() {
        return SUPPORTED;
    }

    /**
     * Returns the CPU time of the calling thread in nanoseconds, or {@link Unknown#NUMBER} on a virtual thread, on a
     * system without the clock, and while CPU timing is switched off.
     */
    public static long ofCurrentThread() {
        // Asked first, because the clock throws on a virtual thread, which costs as much as a short task.
        if (!SUPPORTED || NativeThread.isVirtual(Thread.currentThread())) {
            return Unknown.NUMBER;
        }
        return THREADS.getCurrentThreadCpuTime();
    }
}
