package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups the threads of a pool by state and stack. Stateless. */
final class ThreadGroups {

    private static final int MOST_GROUPS = 32;
    private static final int MOST_NAMES = 8;

    private ThreadGroups() {}

    /** A thread at one moment. The class of the lock and its owner are null where there is none or it is unknown. */
    private record Seen(
            String name,
            Thread.State state,
            List<StackTraceElement> stack,
            @Nullable String lock,
            @Nullable String owner) {

        static Seen of(ThreadInfo info) {
            LockInfo lock = info.getLockInfo();
            return new Seen(
                    info.getThreadName(),
                    info.getThreadState(),
                    List.of(info.getStackTrace()),
                    lock == null ? null : lock.getClassName(),
                    info.getLockOwnerName());
        }

        /** For a virtual thread, of which the JVM's bean knows nothing. Null if it has ended. */
        static @Nullable Seen of(Thread thread, int maxDepth) {
            Thread.State state = thread.getState();
            StackTraceElement[] stack = thread.getStackTrace();
            Object blocker = LockSupport.getBlocker(thread);
            return stack.length == 0
                    ? null
                    : new Seen(
                            thread.getName(),
                            state,
                            Arrays.stream(stack).limit(maxDepth).toList(),
                            blocker == null ? null : blocker.getClass().getName(),
                            null);
        }

        List<Object> place() {
            return List.of(state, stack);
        }
    }

    /**
     * Reads the stacks of at most {@code maxThreads} threads. The JVM stops these threads meanwhile.
     *
     * @param threads some or all of the pool's threads
     * @param all how many threads the pool has
     */
    static Map<String, Object> of(List<Thread> threads, int all, int maxThreads, int maxDepth) {
        List<Thread> read = threads.stream().limit(maxThreads).toList();
        long[] ids = read.stream().mapToLong(Thread::getId).toArray();
        @Nullable ThreadInfo[] infos = ManagementFactory.getThreadMXBean().getThreadInfo(ids, maxDepth);
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < infos.length; i++) {
            ThreadInfo info = infos[i];
            Seen one = info == null ? Seen.of(read.get(i), maxDepth) : Seen.of(info);
            if (one != null) {
                seen.add(one);
            }
        }
        List<List<Seen>> groups = seen.stream()
                .collect(Collectors.groupingBy(Seen::place, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt((List<Seen> alike) -> alike.size())
                        .reversed())
                .limit(MOST_GROUPS)
                .toList();
        int shown = groups.stream().mapToInt(List::size).sum();
        Map<String, Object> json = Document.THREADS.begin();
        json.put("threads", shown);
        json.put("omittedThreads", Math.max(0, all - shown));
        json.put("groups", groups.stream().map(ThreadGroups::group).toList());
        return json;
    }

    /** Shows threads in the same state with the same stack, and the lock that the first of them waits for. */
    private static Map<String, Object> group(List<Seen> alike) {
        Seen first = alike.get(0);
        Doing doing = Stacks.doing(first.state, first.stack, first.lock == null ? "" : first.lock);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", alike.size());
        json.put("state", first.state.name());
        json.put("doing", Document.word(doing));
        json.put("names", alike.stream().map(Seen::name).limit(MOST_NAMES).toList());
        json.put("omittedNames", Math.max(0, alike.size() - MOST_NAMES));
        if (first.lock != null) {
            json.put("lock", first.lock);
        }
        if (first.owner != null) { // otherwise the lock has no owner, or the owner is unknown
            json.put("lockOwner", first.owner);
        }
        json.put("stack", first.stack.stream().map(ThreadGroups::frame).toList());
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
