package io.lifeguard.pool.report;

import io.lifeguard.pool.diagnosis.Doing;
import io.lifeguard.pool.diagnosis.Stacks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A thread as a dump shows it. Immutable.
 *
 * @param name its name
 * @param state its state; where the dump does not say (JDK 21's files), what its top frame suggests
 * @param stack its stack, top first
 * @param waitsFor the lock that it wants, or the object it is parked on; empty when there is none, when the dump does not say, and for a thread in
 *     {@code Object.wait()}, which wants no lock
 * @param holds the identities of the locks that it holds, as far as the dump says
 */
public record DumpedThread(
        String name, Thread.State state, List<StackTraceElement> stack, Optional<Lock> waitsFor, Set<String> holds) {

    /** Copies the collections. */
    public DumpedThread {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(state, "state must not be null");
        Objects.requireNonNull(waitsFor, "waitsFor must not be null");
        stack = List.copyOf(stack);
        holds = Set.copyOf(holds);
    }

    /**
     * What the thread does.
     *
     * @return what its state and its stack show
     */
    public Doing doing() {
        return Stacks.doing(state, stack, waitsFor.map(Lock::type).orElse(""));
    }

    /**
     * Where the thread is.
     *
     * @return the first frame that is the user's own; empty when it waits in its pool for a task
     */
    public String place() {
        return doing() == Doing.IDLE ? "" : Stacks.place(stack);
    }

    /**
     * A lock.
     *
     * @param identity its address or class and hash code, as the dump prints it: unique within one dump
     * @param type its class
     */
    public record Lock(String identity, String type) {}
}
