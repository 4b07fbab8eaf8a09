package io.lifeguard.pool.report;

import io.lifeguard.pool.report.DumpedThread.Lock;
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

/** Takes dumps of this process, with all locks. The world stands still meanwhile. Stateless. */
final class LiveDumps {

    private LiveDumps() {}

    static ThreadDump take(String source) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] infos =
                threads.dumpAllThreads(threads.isObjectMonitorUsageSupported(), threads.isSynchronizerUsageSupported());
        List<DumpedThread> dumped = Arrays.stream(infos)
                .filter(Objects::nonNull)
                .map(LiveDumps::thread)
                .toList();
        return new ThreadDump(source, dumped, Map.of());
    }

    private static DumpedThread thread(ThreadInfo info) {
        LockInfo waitsFor = info.getLockInfo();
        List<StackTraceElement> stack = List.of(info.getStackTrace());
        boolean notified = info.getThreadState() != Thread.State.BLOCKED
                && !stack.isEmpty()
                && stack.get(0).getClassName().equals("java.lang.Object");
        Set<String> holds = Stream.concat(
                        Arrays.stream(info.getLockedMonitors()).map(MonitorInfo::toString),
                        Arrays.stream(info.getLockedSynchronizers()).map(LockInfo::toString))
                .filter(lock -> waitsFor == null || !lock.equals(waitsFor.toString()))
                .collect(Collectors.toSet());
        Optional<Lock> wanted = waitsFor == null || notified
                ? Optional.empty()
                : Optional.of(new Lock(waitsFor.toString(), waitsFor.getClassName()));
        return new DumpedThread(info.getThreadName(), info.getThreadState(), stack, wanted, holds);
    }
}
