package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.evidence.Stacks;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Groups the threads of a pool by state and stack. Stateless. */
final class ThreadGroups {

    private static final int MOST_GROUPS = 32;
    private static final int MOST_NAMES = 8;

    private ThreadGroups() {}

    /** Reads the stacks of at most {@code maxThreads} threads. The JVM stops these threads meanwhile. */
    static PoolViews.Threads of(List<Thread> threads, int maxThreads, int maxDepth) {
        long[] ids = threads.stream().limit(maxThreads).mapToLong(Thread::getId).toArray();
        Map<List<Object>, List<ThreadInfo>> alike = new LinkedHashMap<>();
        ThreadInfo[] infos = ManagementFactory.getThreadMXBean().getThreadInfo(ids, maxDepth);
        Arrays.stream(infos)
                .filter(Objects::nonNull)
                .forEach(info -> alike.computeIfAbsent(placeOf(info), place -> new ArrayList<>())
                        .add(info));
        List<PoolViews.Group> groups = alike.values().stream()
                .map(ThreadGroups::group)
                .sorted(Comparator.comparingInt(PoolViews.Group::count).reversed())
                .limit(MOST_GROUPS)
                .toList();
        int shown = groups.stream().mapToInt(PoolViews.Group::count).sum();
        return new PoolViews.Threads(shown, Math.max(0, threads.size() - shown), groups);
    }

    private static List<Object> placeOf(ThreadInfo info) {
        return List.of(info.getThreadState(), List.of(info.getStackTrace()));
    }

    private static PoolViews.Group group(List<ThreadInfo> alike) {
        ThreadInfo first = alike.get(0);
        @Nullable LockInfo lock = first.getLockInfo();
        List<StackTraceElement> stack = List.of(first.getStackTrace());
        return new PoolViews.Group(
                alike.size(),
                first.getThreadState().name(),
                Stacks.doing(first.getThreadState(), stack, lock == null ? "" : lock.getClassName())
                        .name()
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'),
                alike.stream().map(ThreadInfo::getThreadName).limit(MOST_NAMES).toList(),
                Math.max(0, alike.size() - MOST_NAMES),
                lock == null ? null : lock.getClassName(),
                first.getLockOwnerName(),
                stack.stream().map(ThreadGroups::frame).toList());
    }

    /** Leaves out class loader and module, which are the same in all frames. */
    private static String frame(StackTraceElement frame) {
        String file = frame.getFileName();
        String place =
                frame.isNativeMethod() ? "native" : file == null ? "unknown" : file + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }
}
