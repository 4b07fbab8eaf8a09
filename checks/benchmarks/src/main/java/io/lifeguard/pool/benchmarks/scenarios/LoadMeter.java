package io.lifeguard.pool.benchmarks.scenarios;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much of the machine's CPU <em>others</em> used while a fork was measured, so that a disturbed fork can be told.
 * One thread only.
 *
 * <p>Busy time of all processors from {@code /proc/stat} (user, nice, system, stolen; interrupts serve us as well as
 * others) less this process's own. The kernel counts the former in ticks of 10 ms, so over a second on two processors
 * the answer is good to about a percent. Where the file is missing, the answer is 0, which means unknown.
 */
public final class LoadMeter {
    private static final Path STAT = Path.of("/proc/stat");
    private static final double NANOS_PER_TICK = 1e7;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final int processors = system.getAvailableProcessors();

    private double foreignNanos;
    private double capacityNanos;
    private double busyAtStart;
    private long ownAtStart;
    private long clockAtStart;

    /** Begins a measured stretch. */
    public void start() {
        busyAtStart = busyNanos();
        ownAtStart = system.getProcessCpuTime();
        clockAtStart = System.nanoTime();
    }

    /** Ends it; several stretches add up. */
    public void stop() {
        double own = system.getProcessCpuTime() - ownAtStart;
        foreignNanos += Math.max(0, busyNanos() - busyAtStart - own);
        capacityNanos += (double) (System.nanoTime() - clockAtStart) * processors;
    }

    /** Share of the machine's CPU that others used, from 0 to 1. */
    public double foreignShare() {
        return capacityNanos == 0 ? 0 : Math.min(1, foreignNanos / capacityNanos);
    }

    private static double busyNanos() {
        try {
            return Files.isReadable(STAT) ? busyTicks(Files.readString(STAT)) * NANOS_PER_TICK : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STAT, e);
        }
    }

    /** User + nice + system + stolen ticks of all processors: fields 1, 2, 3 and 8 of the first line. */
    static long busyTicks(String stat) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).trim().split("\\s+", -1);
        long stolen = fields.length > 8 ? Long.parseLong(fields[8]) : 0;
        return Long.parseLong(fields[1]) + Long.parseLong(fields[2]) + Long.parseLong(fields[3]) + stolen;
    }
}
