package io.lifeguard.pool.os;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that control groups set to this process's CPU time, of version 1 and 2: its own group's and those of all
 * groups around it. See cgroups(7), and {@code cpu.max}, {@code cpu.cfs_quota_us} and {@code cpu.stat} in the kernel's
 * documentation. Immutable, thread-safe.
 */
final class CpuQuota {

    private static final long MICRO = 1_000;
    private static final String CONTROLLER = "cpu";
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** The process's group and those around it, as far as they can be seen from here, innermost first. */
    private final List<Path> groups;

    private final boolean unified;

    /** How many CPUs the process may run on at once, at most. */
    private final long cpus;

    private CpuQuota(List<Path> groups, boolean unified, long cpus) {
        this.groups = List.copyOf(groups);
        this.unified = unified;
        this.cpus = cpus;
    }

    /** Finds the groups: those of version 1 where the controller is mounted there, otherwise those of version 2. */
    static CpuQuota find(Path root) {
        try {
            return findBelow(root);
        } catch (RuntimeException ignored) { // a path that is none
            return new CpuQuota(List.of(), true, Long.MAX_VALUE);
        }
    }

    private static CpuQuota findBelow(Path root) {
        List<String> memberships = ProcFile.lines(root.resolve("proc/self/cgroup"));
        List<String> mounts = ProcFile.lines(root.resolve("proc/self/mountinfo"));
        long cpus = allowedCpus(ProcFile.lines(root.resolve("proc/self/status")));
        String inOld = membership(memberships, false);
        Mount old = inOld == null ? null : Mount.find(mounts, false);
        if (inOld != null && old != null) {
            return new CpuQuota(old.groups(root, inOld), false, cpus);
        }
        String inUnified = membership(memberships, true);
        Mount now = inUnified == null ? null : Mount.find(mounts, true);
        return new CpuQuota(inUnified == null || now == null ? List.of() : now.groups(root, inUnified), true, cpus);
    }

    /**
     * Of a line as {@code Cpus_allowed_list: 0-3,8}; the largest number when there is none. It may list CPUs that are
     * not there.
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
            boolean right = fields.length == 3
                    && (unified
                            ? fields[0].equals("0") && fields[1].isEmpty()
                            : Arrays.asList(fields[1].split(",")).contains(CONTROLLER));
            if (right) {
                return fields[2];
            }
        }
        return null;
    }

    /** The tightest limit, and the throttling of the group that was throttled most. */
    Reading read() {
        double cores = Double.POSITIVE_INFINITY;
        long throttled = 0;
        for (Path group : groups) {
            Limit limit = unified ? unifiedLimit(group) : oldLimit(group);
            if (limit != null) {
                cores = Math.min(cores, (double) limit.quotaMicros / limit.periodMicros);
                throttled = Math.max(throttled, throttledNanos(group, limit));
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
     * The kernel adds up the time over all CPUs that it kept from running the group; a process that is stopped on eight
     * CPUs at once is not stopped for eight times as long. So it is at most as long as the periods in which there was
     * throttling at all, without the part of each in which the quota was used up, on all CPUs at best: of half a CPU on
     * two, a quarter.
     */
    private long throttledNanos(Path group, Limit limit) {
        String stat = ProcFile.read(group.resolve("cpu.stat"));
        if (stat == null) {
            return 0;
        }
        long summed = unified
                ? ProcFile.valueOf("throttled_usec ", stat, 0) * MICRO
                : ProcFile.valueOf("throttled_time ", stat, 0);
        return Math.min(summed, ProcFile.valueOf("nr_throttled ", stat, 0) * limit.mostStoppedMicros(cpus) * MICRO);
    }

    /** How many CPUs are allowed, infinite when there is no limit, and how long the process was stopped. */
    record Reading(double cores, long throttledNanos) {}

    private record Limit(long quotaMicros, long periodMicros) {
        static @Nullable Limit of(@Nullable Long quota, @Nullable Long period) {
            return quota != null && period != null && quota > 0 && period > 0 ? new Limit(quota, period) : null;
        }

        /** In a period; a quota that so many CPUs cannot use up says that there are more. */
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
                int dash = line.indexOf(" - ");
                String[] fields =
                        dash < 0 ? new String[0] : line.substring(0, dash).split(" ", -1);
                String[] tail =
                        dash < 0 ? new String[0] : line.substring(dash + 3).split(" ", -1);
                boolean right = fields.length > MOUNT_POINT
                        && tail.length > 2
                        && (unified
                                ? tail[0].equals("cgroup2")
                                : tail[0].equals("cgroup")
                                        && Arrays.asList(tail[2].split(",")).contains(CONTROLLER));
                if (right) {
                    return new Mount(fields[ROOT], fields[MOUNT_POINT]);
                }
            }
            return null;
        }

        /**
         * The group of that path and those around it, up to the mount point. A group outside of what is mounted cannot
         * be seen.
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
