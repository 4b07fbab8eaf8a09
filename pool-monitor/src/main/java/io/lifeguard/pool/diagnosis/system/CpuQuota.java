package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.ProcFile;
import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the limits that control groups, of version 1 or 2, set to a process's CPU time. The limits are those of its own
 * group and of all groups around it. See cgroups(7), and {@code cpu.max}, {@code cpu.cfs_quota_us} and {@code cpu.stat}
 * in the kernel's documentation. Immutable, thread-safe.
 */
final class CpuQuota {

    private static final long MICRO = 1_000;
    private static final String ALLOWED = "Cpus_allowed_list:";

    private final List<Path> groups; // the process's group and the visible groups around it, innermost first
    private final boolean unified; // version 2
    private final long cpus; // the largest number of CPUs that the process may run on at once

    private CpuQuota(List<Path> groups, boolean unified, long cpus) {
        this.groups = List.copyOf(groups);
        this.unified = unified;
        this.cpus = cpus;
    }

    /**
     * Finds the groups of a process, {@code self} or its number: of version 1 if the controller is mounted there,
     * otherwise of version 2.
     */
    static CpuQuota find(Path root, String process) {
        Path directory = root.resolve("proc").resolve(process);
        try {
            List<String> memberships = ProcFile.lines(directory.resolve("cgroup"));
            List<String> mounts = ProcFile.lines(directory.resolve("mountinfo"));
            long cpus = allowedCpus(ProcFile.lines(directory.resolve("status")));
            for (boolean unified : new boolean[] {false, true}) {
                String group = membership(memberships, unified);
                Mount mount = Mount.find(mounts, unified);
                if (group != null && mount != null) {
                    return new CpuQuota(mount.groups(root, group), unified, cpus);
                }
            }
        } catch (RuntimeException ignored) { // a text that is not a valid path: no limit is known
        }
        return new CpuQuota(List.of(), true, Long.MAX_VALUE);
    }

    /**
     * Counts the CPUs in a line like {@code Cpus_allowed_list: 0-3,8}. The largest number if there is no such line. The
     * line may list CPUs that do not exist.
     */
    private static long allowedCpus(List<String> status) {
        long sum = 0;
        for (String line : status) {
            if (line.startsWith(ALLOWED)) {
                for (String range : line.substring(ALLOWED.length()).strip().split(",", -1)) {
                    String[] ends = range.split("-", 2);
                    Long first = ProcFile.number(ends[0]);
                    Long last = ProcFile.number(ends[ends.length - 1]);
                    sum += first == null || last == null ? 0 : Math.max(0, last - first + 1);
                }
            }
        }
        return sum == 0 ? Long.MAX_VALUE : sum;
    }

    /** The path of the process's group: the third field of {@code hierarchy:controllers:path}. */
    private static @Nullable String membership(List<String> lines, boolean unified) {
        for (String line : lines) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && (unified ? line.startsWith("0::") : hasController(fields[1]))) {
                return fields[2];
            }
        }
        return null;
    }

    private static boolean hasController(String list) {
        return Arrays.asList(list.split(",")).contains("cpu");
    }

    /** Reads the tightest limit, and the throttling of the group that was throttled most. */
    Reading read() {
        double cores = Double.POSITIVE_INFINITY;
        long throttled = groups.isEmpty() ? Unknown.NUMBER : 0;
        boolean isLimited = false;
        for (Path group : groups) {
            Limit limit = unified ? unifiedLimit(group) : oldLimit(group);
            if (limit != null) {
                cores = Math.min(cores, (double) limit.quotaMicros / limit.periodMicros);
                long stopped = throttledNanos(group, limit);
                throttled = isLimited ? Math.max(throttled, stopped) : stopped;
                isLimited = true;
            }
        }
        return new Reading(cores, throttled);
    }

    private static @Nullable Limit unifiedLimit(Path group) {
        String text = ProcFile.read(group.resolve("cpu.max"));
        if (text == null) {
            return null;
        }
        String[] words = text.strip().split(" ", -1);
        return Limit.of(ProcFile.number(words[0]), words.length < 2 ? null : ProcFile.number(words[1]));
    }

    private static @Nullable Limit oldLimit(Path group) {
        return Limit.of(
                ProcFile.number(ProcFile.read(group.resolve("cpu.cfs_quota_us"))),
                ProcFile.number(ProcFile.read(group.resolve("cpu.cfs_period_us"))));
    }

    /**
     * How long the group was stopped, at most. The kernel adds up the time over all CPUs that it kept from running the
     * group. But a process that is stopped on eight CPUs at once is not stopped for eight times as long.
     *
     * <p>So the result is at most the sum of the throttled periods, without the part of each in which the quota was
     * used up. That part is shortest if the group ran on all CPUs: a quota of half a CPU on two CPUs lasts a quarter.
     */
    private long throttledNanos(Path group, Limit limit) {
        String stat = ProcFile.read(group.resolve("cpu.stat"));
        if (stat == null) {
            return Unknown.NUMBER;
        }
        long summed = unified
                ? ProcFile.valueOf("throttled_usec ", stat, 0) * MICRO
                : ProcFile.valueOf("throttled_time ", stat, 0);
        return Math.min(summed, ProcFile.valueOf("nr_throttled ", stat, 0) * limit.mostStoppedMicros(cpus) * MICRO);
    }

    /**
     * The allowed number of CPUs, infinite without a limit, and how long the process was stopped; unknown where the
     * groups cannot be read.
     */
    record Reading(double cores, long throttledNanos) {}

    private record Limit(long quotaMicros, long periodMicros) {
        static @Nullable Limit of(@Nullable Long quota, @Nullable Long period) {
            return quota != null && period != null && quota > 0 && period > 0 ? new Limit(quota, period) : null;
        }

        /** The longest stop in a period. A quota that {@code cpus} cannot use up means that there are more CPUs. */
        long mostStoppedMicros(long cpus) {
            long running = quotaMicros / cpus;
            return running < periodMicros ? periodMicros - running : periodMicros;
        }
    }

    /** Where the controller's tree is mounted: a line of {@code /proc/self/mountinfo}. */
    private record Mount(String treeRoot, String mountPoint) {
        private static final int ROOT = 3;
        private static final int MOUNT_POINT = 4;

        static @Nullable Mount find(List<String> lines, boolean unified) {
            for (String line : lines) {
                int separator = line.indexOf(" - ");
                String[] fields = line.substring(0, Math.max(0, separator)).split(" ", -1);
                String[] tail =
                        line.substring(separator < 0 ? 0 : separator + 3).split(" ", -1);
                boolean isMount = separator >= 0 && fields.length > MOUNT_POINT && tail.length > 2;
                if (isMount
                        && (unified ? tail[0].equals("cgroup2") : tail[0].equals("cgroup") && hasController(tail[2]))) {
                    return new Mount(fields[ROOT], fields[MOUNT_POINT]);
                }
            }
            return null;
        }

        /**
         * The group of this path and the groups around it, up to the mount point. Groups outside it are not visible.
         */
        List<Path> groups(Path root, String path) {
            Path top = root.resolve(mountPoint.substring(1)).normalize();
            String below = treeRoot.equals("/")
                    ? path
                    : path.equals(treeRoot) || path.startsWith(treeRoot + "/") ? path.substring(treeRoot.length()) : "";
            Path group = top.resolve(below.startsWith("/") ? below.substring(1) : below)
                    .normalize();
            List<Path> groups = new ArrayList<>();
            for (Path at = group; at != null && at.startsWith(top); at = at.getParent()) {
                groups.add(at);
            }
            return groups.isEmpty() ? List.of(top) : groups;
        }
    }
}
