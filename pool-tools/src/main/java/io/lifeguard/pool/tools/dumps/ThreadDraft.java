package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.StackCache.Activity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what a dump says of one thread while the dump is read. Not thread-safe. */
final class ThreadDraft {

    final String name;
    final boolean needsState; // in this form of dump, only threads that run no Java have no state
    final List<StackTraceElement> stack = new ArrayList<>();

    private OptionalLong nativeId = OptionalLong.empty();
    private final Set<String> holds = new HashSet<>();
    private final Set<String> waitsOn = new HashSet<>(); // monitors released by Object.wait()
    private Thread.@Nullable State state;
    private @Nullable Lock waitsFor;

    ThreadDraft(String name, boolean needsState) {
        this.name = name;
        this.needsState = needsState;
    }

    void nativeId(long id) {
        nativeId = OptionalLong.of(id);
    }

    void state(Thread.State read) {
        state = read;
    }

    void waitsFor(Lock lock) {
        waitsFor = lock;
    }

    void waitsOn(String identity) {
        waitsOn.add(identity);
    }

    void holds(String identity) {
        holds.add(identity);
    }

    /** Returns the thread, or empty when the thread runs no Java. */
    Optional<DumpedThread> build(StackCache cache) {
        if (stack.isEmpty() || (state == null && needsState)) {
            return Optional.empty();
        }
        Thread.State known = state == null ? FrameReader.likelyState(stack) : state;
        Optional<Lock> wanted = Optional.ofNullable(waitsFor);
        holds.removeAll(waitsOn);
        wanted.ifPresent(lock -> holds.remove(lock.identity()));
        Activity activity = cache.activity(known, stack, wanted.map(Lock::type).orElse(""));
        return Optional.of(new DumpedThread(
                name, nativeId, known, activity.stack(), activity.doing(), activity.place(), wanted, holds));
    }
}
