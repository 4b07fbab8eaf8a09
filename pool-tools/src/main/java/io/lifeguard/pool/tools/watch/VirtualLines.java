package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.WaitingLines;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Counts the virtual threads of another JVM by what they wait for. Not thread-safe. A queue counts when two dumps have
 * shown it, because one dump does not tell how long it lasts.
 */
final class VirtualLines {

    private Map<Line, List<DumpedThread>> before = Map.of();
    private long seenAt;
    private List<WaitingThreads> waiting = List.of();

    /** What threads wait for, and where. */
    private record Line(Kind kind, String object, String place) {}

    void see(ThreadDump dump, long now) {
        Map<Line, List<DumpedThread>> lines = new HashMap<>();
        int all = 0;
        for (DumpedThread thread : dump.threads()) {
            if (thread.isVirtual()) {
                all++;
                Line line = line(thread);
                if (line != null) {
                    lines.computeIfAbsent(line, key -> new ArrayList<>()).add(thread);
                }
            }
        }
        List<WaitingThreads> found = new ArrayList<>();
        for (Map.Entry<Line, List<DumpedThread>> entry : lines.entrySet()) {
            List<DumpedThread> threads = entry.getValue();
            int least = Math.min(
                    threads.size(),
                    before.getOrDefault(entry.getKey(), List.of()).size());
            found.add(waiting(entry.getKey(), threads, least, all - threads.size(), now - seenAt));
        }
        waiting = found;
        before = lines;
        seenAt = now;
    }

    private static WaitingThreads waiting(Line line, List<DumpedThread> threads, int least, int others, long nanos) {
        DumpedThread one = threads.get(0);
        boolean isExclusive = line.kind == Kind.LOCK || line.kind == Kind.MONITOR;
        return new WaitingThreads(
                "",
                line.kind,
                line.object,
                isExclusive ? OptionalInt.of(1) : OptionalInt.empty(),
                OptionalInt.empty(),
                least,
                others,
                2,
                Duration.ofNanos(Math.max(0, nanos)),
                line.place,
                one.stack().stream().map(StackTraceElement::toString).toList(),
                "");
    }

    private static @Nullable Line line(DumpedThread thread) {
        String object = thread.waitsFor()
                .map(lock -> lock.identity().replaceAll("\\$(Nonfair|Fair)?Sync@", "@"))
                .orElse("");
        if (thread.doing() == Doing.WAITING_FOR_LOCK) {
            boolean isMonitor = thread.state() == Thread.State.BLOCKED;
            return new Line(isMonitor ? Kind.MONITOR : Kind.LOCK, object.isEmpty() ? "a lock" : object, thread.place());
        }
        if (thread.doing() != Doing.WAITING_IN_LINE) {
            return null;
        }
        String lender = WaitingLines.lender(thread.stack()).orElse("");
        if (!lender.isEmpty()) {
            return new Line(Kind.CONNECTION, lender, thread.place());
        }
        boolean isSemaphore = thread.stack().stream()
                .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.Semaphore"));
        return isSemaphore ? new Line(Kind.PERMIT, object.isEmpty() ? "a semaphore" : object, thread.place()) : null;
    }

    /** {@return the queues that two dumps have shown} */
    List<WaitingThreads> waiting() {
        return waiting;
    }
}
