package io.lifeguard.pool.report;

import io.lifeguard.pool.report.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A thread while it is being read. Not thread-safe. */
final class ThreadDraft {

    final String name;
    final boolean needsState; // a thread of the JVM's own has none where others have
    final List<StackTraceElement> stack = new ArrayList<>();

    private final Set<String> holds = new HashSet<>();
    private final Set<String> waited = new HashSet<>(); // by Object.wait(), which lets go of the monitor
    private Thread.@Nullable State state;
    private @Nullable Lock waitsFor;

    ThreadDraft(String name, boolean needsState) {
        this.name = name;
        this.needsState = needsState;
    }

    void state(Thread.State read) {
        state = read;
    }

    void wants(Lock lock) {
        waitsFor = lock;
    }

    void waitsInMonitor(String identity) {
        waited.add(identity);
    }

    void holds(String identity) {
        holds.add(identity);
    }

    /** Empty for a thread that runs no Java. */
    Optional<DumpedThread> build() {
        if (stack.isEmpty() || (state == null && needsState)) {
            return Optional.empty();
        }
        Thread.State known = state == null ? FrameReader.stateOf(stack) : state;
        holds.removeAll(waited);
        Lock wanted = waitsFor;
        if (wanted != null) {
            holds.remove(wanted.identity());
        }
        return Optional.of(new DumpedThread(name, known, stack, Optional.ofNullable(wanted), holds));
    }
}
