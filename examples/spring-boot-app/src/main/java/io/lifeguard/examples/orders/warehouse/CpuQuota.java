package io.lifeguard.examples.orders.warehouse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CPU quota of this process's control group, version 1 or 2. It can be changed if the group is not the root group
 * and its files are writable. Usually this needs root and a group created for this process. Immutable.
 */
public final class CpuQuota {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;

    private final @Nullable Path file; // null if the group has no quota file
    private final String unlimited;

    private CpuQuota(@Nullable Path file, String unlimited) {
        this.file = file;
        this.unlimited = unlimited;
    }

    /** Finds the control group of this process. */
    public static CpuQuota ofThisProcess() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] fields = line.split(":", 3);
                String group = fields[fields.length - 1];
                boolean ofAll = group.equals("/");
                if (!ofAll && List.of(fields[1].split(",", -1)).contains("cpu")) {
                    return new CpuQuota(ROOT.resolve("cpu" + group + "/cpu.cfs_quota_us"), "-1");
                } else if (!ofAll && fields[1].isEmpty() && Files.exists(ROOT.resolve("cgroup.controllers"))) {
                    return new CpuQuota(ROOT.resolve(group.substring(1)).resolve("cpu.max"), "max " + PERIOD_MICROS);
                }
            }
        } catch (IOException ignored) {
            return new CpuQuota(null, "");
        }
        return new CpuQuota(null, "");
    }

    /**
     * Sets the quota.
     *
     * @throws UnsupportedOperationException if the quota cannot be set here
     */
    public void set(double cpus) {
        String quota = Long.toString(Math.round(cpus * PERIOD_MICROS));
        write(unlimited.startsWith("max") ? quota + " " + PERIOD_MICROS : quota);
    }

    /** Removes the quota. */
    public void lift() {
        write(unlimited);
    }

    private void write(String value) {
        if (file == null || !Files.isWritable(file)) {
            throw new UnsupportedOperationException(
                    "no quota can be set here: this process has no control group of its own whose files it may write");
        }
        try {
            Files.writeString(file, value);
        } catch (IOException e) {
            throw new UnsupportedOperationException("no quota can be set here: " + e.getMessage(), e);
        }
    }
}
