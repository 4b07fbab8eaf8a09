package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.StackCache.Activity;
import java.util.ArrayList;
import java.util.Collections;
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
    private OptionalLong carries = OptionalLong.empty(); // the number of a virtual thread
    private int carrierFrames; // those that belong to the carrier; the virtual thread's follow
    private boolean initialises; // waits until another thread has initialised a class
    private boolean isVirtual;

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

    /** The thread carries a virtual thread; the JVM prints no state then. */
    void carries(long number) {
        carries = OptionalLong.of(number);
        carrierFrames = Integer.MAX_VALUE;
    }

    /** The frames that follow are those of the virtual thread that it carries. JDK 21 to 23 do not print them. */
    void mounts() {
        carrierFrames = stack.size();
    }

    void isVirtual() {
        isVirtual = true;
    }

    /** The JVM prints such a thread as one that runs. */
    void waitsForInitialisation(String className) {
        initialises = true;
        waitsFor = new Lock(className, "the initialisation of class " + className);
    }

    /** Returns the thread, or empty when the thread runs no Java. */
    Optional<DumpedThread> build(StackCache cache) {
        if (stack.isEmpty() && isVirtual) {
            return Optional.of(unstarted());
        }
        if (stack.isEmpty() || (state == null && needsState && carries.isEmpty())) {
            return Optional.empty();
        }
        if (carries.isPresent() && carrierFrames < stack.size()) {
            Collections.rotate(stack, -carrierFrames); // what is carried is on top of its carrier
        }
        Thread.State known = state == null ? FrameReader.likelyState(stack) : state;
        Optional<Lock> wanted = Optional.ofNullable(waitsFor);
        holds.removeAll(waitsOn);
        wanted.ifPresent(lock -> holds.remove(lock.identity()));
        Activity activity = cache.activity(
                initialises ? Thread.State.BLOCKED : known,
                stack,
                wanted.map(Lock::type).orElse(""));
        boolean isHidden =
                carries.isPresent() && carrierFrames == Integer.MAX_VALUE; // what is carried is not in the dump
        Doing doing = isHidden ? Doing.UNKNOWN : activity.doing();
        return Optional.of(new DumpedThread(
                name, nativeId, known, activity.stack(), doing, activity.place(), wanted, holds, carries));
    }

    /** A virtual thread without a stack has not run yet. */
    private DumpedThread unstarted() {
        return new DumpedThread(
                name,
                nativeId,
                Thread.State.RUNNABLE,
                List.of(),
                Doing.WAITING_FOR_CPU,
                DumpedThread.NOT_RUN,
                Optional.empty(),
                Set.of(),
                OptionalLong.empty());
    }
}
