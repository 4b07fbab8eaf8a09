package io.lifeguard.pool.corpus.sizing;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time that other processes use from some moment on, according to {@code /proc/stat}. It is 0 where that file
 * does not exist. The time of interrupts is left out, because on loopback this process causes them. Immutable.
 */
record ForeignCpu(double machineBefore, double ownBefore) {

    private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on every architecture Java runs on
    private static final int MODES = 3; // user, nice, system

    static ForeignCpu fromNowOn() {
        return new ForeignCpu(machine(), own());
    }

    /** The mean number of CPUs that other processes have used since then. */
    double used(double seconds) {
        return Math.max(0, machine() - machineBefore - (own() - ownBefore)) / seconds;
    }

    private static double own() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }

    private static double machine() {
        try {
            String[] words = Files.readString(Path.of("/proc/stat"))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .split(" +", -1);
            double ticks = 0;
            for (int i = 1; i <= MODES && i < words.length; i++) {
                ticks += Double.parseDouble(words[i]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException notLinux) {
            return 0;
        }
    }
}
