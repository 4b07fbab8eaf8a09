package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.StackCache.Activity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what a dump says of one thread while the dump is read. Not thread-safe. */
final class ThreadDraft {

    /** In the header of a thread that runs Java: its number, or the address of its stack. */
    private static final Pattern JAVA_HEADER = Pattern.compile("^ #\\d| \\[0x0*[1-9a-f]");

    final String name;
    final boolean needsState; // in this form of dump, only threads that run no Java have no state
    final List<StackTraceElement> stack = new ArrayList<>();

    String header = ""; // what follows the name
    Optional<String> id = Optional.empty(); // by which other lines of the dump name this thread
    Optional<String> heldBy = Optional.empty(); // the id or name of the thread that holds what this one waits for

    private OptionalLong nativeId = OptionalLong.empty();
    private final Set<String> holds = new HashSet<>();
    private final Map<String, Integer> takenAbove = new HashMap<>(); // how many frames were read before the lock
    private final Map<String, Lock> waitsOn = new LinkedHashMap<>(); // monitors released by Object.wait(), by identity
    private Thread.@Nullable State state;
    private @Nullable Lock waitsFor;
    private OptionalLong carries = OptionalLong.empty(); // the number of a virtual thread
    private int carrierFrames; // those that belong to the carrier; the virtual thread's follow
    private boolean initialises; // waits until another thread has initialised a class
    private boolean isVirtual;
    private boolean isListedOnly; // the JVM's list of deadlocks names it, and no stack is in the dump

    ThreadDraft(String name, boolean needsState) {
        this.name = name;
        this.needsState = needsState;
    }

    /**
     * Returns whether the thread must have a stack, and the dump has none. The JVM's own threads have neither a number
     * nor a part of the memory for a stack of Java, or they run.
     */
    boolean hasLostItsStack() {
        boolean waits = state == Thread.State.BLOCKED || isWaiting(state);
        boolean hasLostItsState =
                needsState && state == null && JAVA_HEADER.matcher(header).find();
        return stack.isEmpty() && !isVirtual && !isListedOnly && (waits || hasLostItsState);
    }

    private static boolean isWaiting(Thread.@Nullable State state) {
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** Returns whether the thread waits for a monitor of which the dump does not say which it is. */
    boolean isBlockedByUnknown() {
        return stateOrLikely() == Thread.State.BLOCKED && waitsFor == null;
    }

    /** Returns whether the thread may want a monitor, for all that a dump without states says. */
    boolean mayWantMonitor() {
        boolean isUnknown = state == null && header.isEmpty() && waitsFor == null && carries.isEmpty() && !isListedOnly;
        return isUnknown
                && !stack.isEmpty()
                && !stack.get(0).isNativeMethod()
                && FrameReader.likelyState(stack) == Thread.State.RUNNABLE;
    }

    private Thread.State stateOrLikely() {
        Thread.State known = state;
        if (known != null) {
            return known;
        }
        return header.contains(" waiting for monitor entry") ? Thread.State.BLOCKED : FrameReader.likelyState(stack);
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

    void waitsOn(Lock lock) {
        waitsOn.put(lock.identity(), lock);
    }

    /** Returns the lock that the thread wants or is parked on; null where there is none. */
    @Nullable
    Lock wanted() {
        return waitsFor;
    }

    Set<String> holds() {
        settle();
        return holds;
    }

    void isListedOnly() {
        isListedOnly = true;
        if (state == null) {
            state = Thread.State.BLOCKED;
        }
    }

    /**
     * A thread has released the monitor that it waits on, and wants it again once it was notified. Some forms call the
     * object that it is parked on the same.
     */
    private void settle() {
        boolean waits = stack.isEmpty() || stack.get(0).getMethodName().startsWith("wait");
        if (waitsFor == null && (!waits || state == Thread.State.BLOCKED) && !waitsOn.isEmpty()) {
            waitsFor = waitsOn.values().iterator().next();
        }
        holds.removeAll(waitsOn.keySet());
        Lock lock = waitsFor;
        if (lock != null) {
            holds.remove(lock.identity());
        }
    }

    void holds(String identity) {
        holds.add(identity);
        takenAbove.putIfAbsent(identity, stack.size());
    }

    /** Returns the frames that were called after the lock was taken. */
    List<StackTraceElement> framesAbove(String lock) {
        return stack.subList(0, Math.max(0, Math.min(stack.size(), takenAbove.getOrDefault(lock, 0)) - 1));
    }

    /**
     * Returns whether the thread is known to wait for another to initialise a class, and the dump does not say which.
     */
    boolean waitsForSomeClass() {
        return state == Thread.State.RUNNABLE && header.contains(" in Object.wait()") && waitsFor == null;
    }

    /** Returns whether the thread waits without a time limit for the result of another's work. */
    boolean waitsForResult(StackCache cache) {
        return state == Thread.State.WAITING
                && waitsFor != null
                && cache.activity(Thread.State.WAITING, stack, waitsFor.type()).doing() == Doing.WAITING_FOR_RESULT;
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
        waitsForInitialisation(new Lock(className, "the initialisation of class " + className));
    }

    void waitsForInitialisation(Lock lock) {
        initialises = true;
        waitsFor = lock;
    }

    /** Returns the thread, or empty when the thread runs no Java. */
    Optional<DumpedThread> build(StackCache cache) {
        if (stack.isEmpty() && isVirtual) {
            return Optional.of(unstarted());
        }
        if (stack.isEmpty() && !isListedOnly) {
            return Optional.empty();
        }
        if (carries.isPresent() && carrierFrames < stack.size()) {
            Collections.rotate(stack, -carrierFrames); // what is carried is on top of its carrier
        }
        Thread.State known = stateOrLikely();
        settle();
        Optional<Lock> wanted = Optional.ofNullable(waitsFor);
        Activity activity = cache.activity(
                initialises ? Thread.State.BLOCKED : known,
                stack,
                wanted.map(Lock::type).orElse(""));
        boolean isHidden =
                carries.isPresent() && carrierFrames == Integer.MAX_VALUE; // what is carried is not in the dump
        Doing doing = isHidden ? Doing.UNKNOWN : activity.doing();
        return Optional.of(new DumpedThread(
                cache.shared(name),
                cache.shared(nativeId),
                known,
                activity.stack(),
                doing,
                activity.place(),
                cache.shared(wanted),
                holds,
                carries));
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
