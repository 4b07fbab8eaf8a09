package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.evidence.Stacks;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups the threads of a pool by state and stack. Stateless. */
final class ThreadGroups {

    private static final int MOST_GROUPS = 32;
    private static final int MOST_NAMES = 8;

    private ThreadGroups() {}

    /** Reads the stacks of at most {@code maxThreads} threads. The JVM stops these threads meanwhile. */
    static Map<String, Object> of(List<Thread> threads, int maxThreads, int maxDepth) {
        long[] ids = threads.stream().limit(maxThreads).mapToLong(Thread::getId).toArray();
        ThreadInfo[] infos = ManagementFactory.getThreadMXBean().getThreadInfo(ids, maxDepth);
        List<List<ThreadInfo>> groups = Arrays.stream(infos)
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(ThreadGroups::placeOf, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt((List<ThreadInfo> alike) -> alike.size())
                        .reversed())
                .limit(MOST_GROUPS)
                .toList();
        int shown = groups.stream().mapToInt(List::size).sum();
        Map<String, Object> json = Document.THREADS.begin();
        json.put("threads", shown);
        json.put("omittedThreads", Math.max(0, threads.size() - shown));
        json.put("groups", groups.stream().map(ThreadGroups::group).toList());
        return json;
    }

    private static List<Object> placeOf(ThreadInfo info) {
        return List.of(info.getThreadState(), List.of(info.getStackTrace()));
    }

    /** Shows threads in the same state with the same stack, and the lock that the first of them waits for. */
    private static Map<String, Object> group(List<ThreadInfo> alike) {
        ThreadInfo first = alike.get(0);
        @Nullable LockInfo lock = first.getLockInfo();
        List<StackTraceElement> stack = List.of(first.getStackTrace());
        Doing doing = Stacks.doing(first.getThreadState(), stack, lock == null ? "" : lock.getClassName());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", alike.size());
        json.put("state", first.getThreadState().name());
        json.put("doing", Document.word(doing));
        json.put(
                "names",
                alike.stream().map(ThreadInfo::getThreadName).limit(MOST_NAMES).toList());
        json.put("omittedNames", Math.max(0, alike.size() - MOST_NAMES));
        if (lock != null) {
            json.put("lock", lock.getClassName());
        }
        if (first.getLockOwnerName() != null) { // otherwise the lock has no owner, or the owner is unknown
            json.put("lockOwner", first.getLockOwnerName());
        }
        json.put("stack", stack.stream().map(ThreadGroups::frame).toList());
        return json;
    }

    /** Leaves out class loader and module, which are the same in all frames. */
    private static String frame(StackTraceElement frame) {
        String file = frame.getFileName();
        String place =
                frame.isNativeMethod() ? "native" : file == null ? "unknown" : file + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }
}
