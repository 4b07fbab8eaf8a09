package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.StackCache.Activity;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes dumps of this process, with all locks. The JVM stops all threads for each dump. Not thread-safe. */
final class LiveDumpReader {

    private final StackCache cache = new StackCache();

    ThreadDump take(String source) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] infos =
                threads.dumpAllThreads(threads.isObjectMonitorUsageSupported(), threads.isSynchronizerUsageSupported());
        List<DumpedThread> dumped =
                Arrays.stream(infos).filter(Objects::nonNull).map(this::thread).toList();
        return new ThreadDump(source, dumped, Map.of());
    }

    private DumpedThread thread(ThreadInfo info) {
        List<StackTraceElement> stack = List.of(info.getStackTrace());
        Optional<Lock> object =
                Optional.ofNullable(info.getLockInfo()).map(lock -> new Lock(lock.toString(), lock.getClassName()));
        Optional<Lock> wanted = isInObjectWait(info.getThreadState(), stack) ? Optional.empty() : object;
        Set<String> holds = Stream.concat(
                        Arrays.stream(info.getLockedMonitors()).map(MonitorInfo::toString),
                        Arrays.stream(info.getLockedSynchronizers()).map(LockInfo::toString))
                .filter(held -> object.isEmpty() || !held.equals(object.get().identity()))
                .collect(Collectors.toSet());
        Activity activity = cache.activity(
                info.getThreadState(), stack, wanted.map(Lock::type).orElse(""));
        return new DumpedThread(
                info.getThreadName(),
                info.getThreadState(),
                activity.stack(),
                activity.doing(),
                activity.place(),
                wanted,
                holds);
    }

    private static boolean isInObjectWait(Thread.State state, List<StackTraceElement> stack) {
        return state != Thread.State.BLOCKED
                && !stack.isEmpty()
                && stack.get(0).getClassName().equals("java.lang.Object");
    }
}
