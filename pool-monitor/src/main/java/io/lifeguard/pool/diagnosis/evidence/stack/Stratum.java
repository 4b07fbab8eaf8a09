package io.lifeguard.pool.diagnosis.evidence.stack;

import java.lang.Thread.State;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a worker's state and blocker tell without a stack. Workers with the same values are one group of the census.
 *
 * <p>Nothing of the blocker is called, because a user's class may throw in each of its methods.
 *
 * @param idle whether the worker waits for a task; then the other parts say nothing
 * @param state the thread's state
 * @param blocker the class of the object it is parked on; empty when it is not parked, or on nothing
 * @param identity that object's identity; 0 when it does not matter
 */
public record Stratum(boolean idle, State state, String blocker, int identity) {

    public static final Stratum IDLE = new Stratum(true, State.WAITING, "", 0);

    private static final String CONCURRENT = "java.util.concurrent.";

    public static Stratum of(Thread thread) {
        State state = thread.getState();
        return of(state, isWaiting(state) ? LockSupport.getBlocker(thread) : null);
    }

    public static Stratum of(State state, @Nullable Object blocker) {
        if (blocker == null) {
            return new Stratum(false, state, "", 0);
        }
        String type = blocker.getClass().getName();
        return new Stratum(false, state, type, isShared(blocker, type) ? System.identityHashCode(blocker) : 0);
    }

    public static boolean isWaiting(State state) {
        return state == State.WAITING || state == State.TIMED_WAITING;
    }

    /** Whether several workers may wait for that object. A future, and what a completion parks on, has one waiter. */
    private static boolean isShared(Object blocker, String type) {
        return !(blocker instanceof Future<?>) && !type.startsWith(CONCURRENT + "CompletableFuture$");
    }

    /**
     * Written out. That of a record is slow until it is compiled, and the JDK caches it by class, which would keep the
     * class loader reachable.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Stratum stratum
                && idle == stratum.idle
                && state == stratum.state
                && identity == stratum.identity
                && blocker.equals(stratum.blocker);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * state.hashCode() + identity) + blocker.hashCode() + (idle ? 1 : 0);
    }

    public Stratum ofClass() {
        return identity == 0 ? this : new Stratum(idle, state, blocker, 0);
    }

    public Stratum ofState() {
        return blocker.isEmpty() ? this : new Stratum(idle, state, "", 0);
    }

    public boolean isSemaphore() {
        return blocker.startsWith(CONCURRENT + "Semaphore$");
    }

    public boolean isCondition() {
        return blocker.endsWith("$ConditionObject"); // of a queue, mostly
    }

    public boolean isLatchOrFuture() {
        return blocker.equals(CONCURRENT + "FutureTask")
                || blocker.startsWith(CONCURRENT + "CompletableFuture$")
                || blocker.startsWith(CONCURRENT + "CountDownLatch$");
    }

    /** The class and identity, as the JDK's {@code LockInfo} shows them; null where there is no identity. */
    @Nullable
    public String object() {
        return identity == 0 ? null : blocker + '@' + Integer.toHexString(identity);
    }
}
