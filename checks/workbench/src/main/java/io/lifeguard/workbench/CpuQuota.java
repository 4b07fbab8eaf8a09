package io.lifeguard.workbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control group with a quota of CPUs, like that of a container. It is of version 1 or 2, whichever can be written on
 * this machine. Closing removes it. One thread only.
 */
public final class CpuQuota implements AutoCloseable {

    private static final int PERIOD_MICROS = 100_000;
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Path group;
    private final int version;

    private CpuQuota(Path group, int version) {
        this.group = group;
        this.version = version;
    }

    /** Creates a group with that quota. Empty where that is impossible: it needs root and a writable hierarchy. */
    public static Optional<CpuQuota> of(double cores) {
        long quota = Math.round(cores * PERIOD_MICROS);
        String name = "lifeguard-%d-%d".formatted(ProcessHandle.current().pid(), MADE.incrementAndGet());
        Path v1 = V1.resolve(name);
        Path v2 = V2.resolve(name);
        if (Files.isWritable(V1.resolve("cpu.cfs_quota_us").getParent())
                && Files.exists(V1.resolve("cpu.cfs_period_us"))) {
            return make(v1, 1, "cpu.cfs_quota_us", Long.toString(quota));
        } else if (Files.exists(V2.resolve("cgroup.controllers"))) {
            return make(v2, 2, "cpu.max", quota + " " + PERIOD_MICROS);
        }
        return Optional.empty();
    }

    private static Optional<CpuQuota> make(Path group, int version, String file, String value) {
        try {
            Files.createDirectory(group);
        } catch (IOException notAllowed) {
            return Optional.empty();
        }
        CpuQuota made = new CpuQuota(group, version);
        try {
            Files.writeString(group.resolve(file), value);
            return Optional.of(made);
        } catch (IOException notAllowed) {
            made.close();
            return Optional.empty();
        }
    }

    /** The file that receives the number of a process. */
    public Path members() {
        return group.resolve("cgroup.procs");
    }

    /** The version of the control groups of this machine, 1 or 2. */
    public int version() {
        return version;
    }

    /** Removes the group. Its last process may need a moment to end. */
    @Override
    public void close() {
        for (int tries = 0; tries < 100; tries++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException busy) {
                Waiting.millis(20);
            }
        }
    }
}
