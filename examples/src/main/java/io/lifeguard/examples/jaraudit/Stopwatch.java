package io.lifeguard.examples.jaraudit;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Measures wall time and the use of the processors meanwhile. Immutable. Only one stopwatch at a time can measure the
 * share of other programs, because the JVM measures it between two calls of the same method.
 */
final class Stopwatch {

    /* Null on a JVM without this platform bean. */
    private static final @Nullable OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final long startNanos;
    private final long startCpuNanos;

    private Stopwatch() {
        beginLoad();
        startCpuNanos = SYSTEM == null ? -1 : SYSTEM.getProcessCpuTime();
        startNanos = System.nanoTime();
    }

    @SuppressWarnings("CheckReturnValue") // the call starts the measurement
    private static void beginLoad() {
        if (SYSTEM != null) {
            SYSTEM.getCpuLoad();
        }
    }

    static Stopwatch start() {
        return new Stopwatch();
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** Returns the use of the processors since the start. */
    CpuUse cpuUse() {
        if (SYSTEM == null || startCpuNanos < 0) {
            return new CpuUse(Double.NaN, Double.NaN);
        }
        double available = (double) elapsedNanos() * SYSTEM.getAvailableProcessors();
        double own = Math.min(1, (SYSTEM.getProcessCpuTime() - startCpuNanos) / available);
        double all = SYSTEM.getCpuLoad();
        return new CpuUse(own, all < 0 ? Double.NaN : Math.max(0, all - own));
    }
}
