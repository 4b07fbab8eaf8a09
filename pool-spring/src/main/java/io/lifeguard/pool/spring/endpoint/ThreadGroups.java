package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups the threads of a pool by state and stack. Stateless. */
final class ThreadGroups {

    private static final int MOST_GROUPS = 32;
    private static final int MOST_NAMES = 8;

    private ThreadGroups() {}

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
        List<ThreadLook> looks = new ArrayList<>();
        for (int i = 0; i < infos.length; i++) {
            ThreadInfo info = infos[i];
            ThreadLook look = info == null ? ThreadLook.ofVirtual(read.get(i), maxDepth) : ThreadLook.of(info);
            if (look != null) {
                looks.add(look);
            }
        }
        List<List<ThreadLook>> groups = looks.stream()
                .collect(Collectors.groupingBy(
                        look -> List.of(look.state(), look.stack()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt((List<ThreadLook> alike) -> alike.size())
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
    private static Map<String, Object> group(List<ThreadLook> alike) {
        ThreadLook first = alike.get(0);
        Doing doing = Stacks.doing(first.state(), first.stack(), first.type());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", alike.size());
        json.put("state", first.state().name());
        json.put("doing", Document.word(doing));
        json.put("names", alike.stream().map(ThreadLook::name).limit(MOST_NAMES).toList());
        json.put("omittedNames", Math.max(0, alike.size() - MOST_NAMES));
        if (!first.object().isEmpty()) {
            json.put("lock", first.type());
        }
        if (first.holderName() != null) { // otherwise the lock has no owner, or the owner is unknown
            json.put("lockOwner", first.holderName());
        }
        json.put("stack", first.stack().stream().map(ThreadGroups::frame).toList());
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
