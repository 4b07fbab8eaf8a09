package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes dumps of this process, with all locks. The JVM stops all threads for each dump. Not thread-safe. */
final class LiveDumpReader {

    private final StackCache cache = new StackCache();

    ThreadDump take(String source) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] infos =
                threads.dumpAllThreads(threads.isObjectMonitorUsageSupported(), threads.isSynchronizerUsageSupported());
        List<DumpedThread> dumped = Arrays.stream(infos)
                .filter(Objects::nonNull)
                .flatMap(info -> draft(info).build(cache).stream())
                .toList();
        return new ThreadDump(source, dumped, Map.of());
    }

    private static ThreadDraft draft(ThreadInfo info) {
        ThreadDraft draft = new ThreadDraft(info.getThreadName(), false);
        draft.state(info.getThreadState());
        draft.stack.addAll(List.of(info.getStackTrace()));
        List.of(info.getLockedMonitors()).forEach(held -> draft.holds(held.toString()));
        List.of(info.getLockedSynchronizers()).forEach(held -> draft.holds(held.toString()));
        @Nullable LockInfo object = info.getLockInfo();
        if (object != null && isInObjectWait(info.getThreadState(), draft.stack)) {
            draft.waitsOn(object.toString());
        } else if (object != null) {
            draft.waitsFor(new Lock(object.toString(), object.getClassName()));
        }
        return draft;
    }

    private static boolean isInObjectWait(Thread.State state, List<StackTraceElement> stack) {
        return state != Thread.State.BLOCKED
                && !stack.isEmpty()
                && stack.get(0).getClassName().equals("java.lang.Object");
    }
}
