package io.lifeguard.pool.measure;

import io.lifeguard.pool.os.Unknown;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes long tasks, waits of submitters, caller-runs and rejections of all pools to the one recorder of this JVM,
 * while there is one. Thread-safe.
 *
 * <p>A pool asks {@link #taskThresholdNanos()} at the end of each task, and {@link #isTimed()} at its beginning. Both
 * are one read of a static field.
 */
public final class EventTap {

    /** Shorter waits and caller-runs are not passed on: 1 ms. A pixel of a picture of one minute is 30 ms. */
    public static final long SHORTEST_NANOS = 1_000_000;

    // Written by the thread that opens or closes the tap, by CAS. After a stale read an event goes to the former
    // receiver, or is lost.
    private static final AtomicReference<@Nullable Receiver> RECEIVER = new AtomicReference<>();

    // Written by the receiver; a stale read passes on, or leaves out, one task.
    private static volatile long taskThresholdNanos = Long.MAX_VALUE;
    private static volatile boolean isTimed;

    private EventTap() {}

    /** Receives events, on the thread to which they happened. It must neither block nor throw. */
    public interface Receiver {

        /**
         * Notes when something begins, which may become an event.
         *
         * @param spare what this method returned to the same thread before; null at first
         * @return the note, which is passed on with the event; null for none
         */
        @Nullable
        Object begins(Beginning what, @Nullable Object spare);

        /**
         * A task ended that ran for at least the threshold.
         *
         * @param startNanos by {@link System#nanoTime()}
         * @param waitNanos how long it was queued, or {@link Unknown#NUMBER}
         * @param cpuNanos its CPU time, or {@link Unknown#NUMBER}
         */
        void taskEnded(
                String pool,
                String kind,
                long startNanos,
                long serviceNanos,
                long waitNanos,
                long cpuNanos,
                boolean failed,
                @Nullable Object note);

        void submitterWaited(String pool, long nanos, boolean accepted, @Nullable Object note);

        void callerRan(String pool, long nanos, double idleWorkers, @Nullable Object note);

        void rejected(String pool, String reason);
    }

    /** What begins. */
    public enum Beginning {
        TASK,
        SUBMIT_WAIT,
        CALLER_RUN
    }

    /** Makes this the receiver, in place of another one. */
    public static void take(Receiver receiver) {
        taskThresholdNanos = Long.MAX_VALUE;
        isTimed = false;
        RECEIVER.set(receiver);
    }

    /** Makes this the receiver, if there is none. {@return whether it is the receiver now} */
    public static boolean open(Receiver receiver) {
        return RECEIVER.compareAndSet(null, receiver) || RECEIVER.get() == receiver;
    }

    /** Has no effect unless this is the receiver. */
    public static void close(Receiver receiver) {
        if (RECEIVER.get() == receiver) {
            taskThresholdNanos = Long.MAX_VALUE;
            isTimed = false;
            RECEIVER.set(null);
        }
    }

    /** Sets from which service time on tasks are passed on, and whether {@link Receiver#begins} is called. */
    public static void set(Receiver receiver, long thresholdNanos, boolean timed) {
        if (RECEIVER.get() == receiver) {
            taskThresholdNanos = thresholdNanos;
            isTimed = timed;
        }
    }

    /** The service time from which on tasks are passed on; {@link Long#MAX_VALUE} while no recorder receives them. */
    public static long taskThresholdNanos() {
        return taskThresholdNanos;
    }

    /** Whether beginnings are noted. */
    public static boolean isTimed() {
        return isTimed;
    }

    /** The receiver; null while there is none. */
    public static @Nullable Receiver receiver() {
        return RECEIVER.get();
    }

    /** Notes a beginning, if a recorder wants that. Does not throw: the task goes on without an event. */
    public static @Nullable Object begins(Beginning what, @Nullable Object spare) {
        try {
            Receiver receiver = isTimed ? RECEIVER.get() : null;
            return receiver == null ? null : receiver.begins(what, spare);
        } catch (Error ignored) {
            return null;
        }
    }
}
