package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One thread in a thread dump. Immutable.
 *
 * @param name the thread's name
 * @param nativeId the operating system's number of the thread, or the JVM's of a virtual one; empty where the dump does
 *     not say it
 * @param state the thread's state. The files of JDK 21 do not say it; it is then inferred from the top frame
 * @param stack the thread's stack, top first
 * @param doing what the thread does, as its state and stack show
 * @param place the first frame that is the user's own; empty when the thread waits in its pool for a task
 * @param waitsFor the lock that the thread wants, or the object it is parked on. Empty when there is none and when the
 *     dump does not say. Empty also for a thread in {@code Object.wait()}, which wants no lock
 * @param holds the identities of the locks that the thread holds, as far as the dump says
 * @param carries the number of the virtual thread that this thread carries at the moment; empty where it is no carrier
 */
public record DumpedThread(
        String name,
        OptionalLong nativeId,
        Thread.State state,
        List<StackTraceElement> stack,
        Doing doing,
        String place,
        Optional<Lock> waitsFor,
        Set<String> holds,
        OptionalLong carries) {

    /** The place of a virtual thread that was started and has not run, because it waits for a carrier. */
    public static final String NOT_RUN = "(has not run yet)";

    /**
     * Makes a thread of which no more is known.
     *
     * @param name the thread's name, not null
     * @param nativeId the operating system's number of the thread, not null
     * @param state the thread's state, not null
     * @param stack the thread's stack, top first, not null; copied
     * @param doing what the thread does, not null
     * @param waitsFor the lock that the thread wants, or the object it is parked on, not null
     */
    public DumpedThread(
            String name,
            OptionalLong nativeId,
            Thread.State state,
            List<StackTraceElement> stack,
            Doing doing,
            Optional<Lock> waitsFor) {
        this(name, nativeId, state, stack, doing, "", waitsFor, Set.of(), OptionalLong.empty());
    }

    /** Copies the collections. */
    public DumpedThread {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(nativeId, "nativeId must not be null");
        Objects.requireNonNull(state, "state must not be null");
        Objects.requireNonNull(doing, "doing must not be null");
        Objects.requireNonNull(place, "place must not be null");
        Objects.requireNonNull(waitsFor, "waitsFor must not be null");
        Objects.requireNonNull(carries, "carries must not be null");
        stack = List.copyOf(stack);
        holds = Set.copyOf(holds);
    }

    /** {@return whether it is a virtual thread with a stack} */
    public boolean isVirtual() {
        return !stack.isEmpty()
                && stack.get(stack.size() - 1).getClassName().equals("java.lang.VirtualThread")
                && carries.isEmpty();
    }

    /** {@return the same thread, known to have nothing to do} */
    public DumpedThread idle() {
        return new DumpedThread(name, nativeId, state, stack, Doing.IDLE, "", waitsFor, holds, carries);
    }

    boolean wantsLock() {
        return waitsFor.isPresent() && doing == Doing.WAITING_FOR_LOCK;
    }

    /**
     * A lock.
     *
     * @param identity the lock's address, or its class and hash code, as the dump prints it. It is unique within one
     *     dump
     * @param type the lock's class
     */
    public record Lock(String identity, String type) {

        /** {@return class and identity, as {@code com.example.Orders@ffd1b7d0}} */
        public String name() {
            int begin = identity.lastIndexOf('@') + 1;
            if (identity.startsWith("0x", begin)) {
                begin += 2;
                while (begin < identity.length() && identity.charAt(begin) == '0') {
                    begin++;
                }
            }
            return type + '@' + identity.substring(begin);
        }
    }
}
