package io.lifeguard.pool.diagnosis.window;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The threads of one executor with a thread per task that wait for the same thing. Immutable.
 *
 * @param executor the name of the executor; empty for another JVM, of which dumps do not tell it
 * @param kind what kind of thing they wait for
 * @param object what they wait for, such as {@code HikariPool-1} or {@code java.util.concurrent.Semaphore@1a2b3c}
 * @param capacity how many threads can have it at a time, where that is known
 * @param inUse how many have it, where that is known
 * @param waiting how many threads waited for it at each look of the window, at least
 * @param elsewhere how many of the executor's other threads there were, on average
 * @param looks over how many looks that is the average
 * @param waitTime how long the queue of waiting threads takes at the rate at which tasks ended; a day where none ended.
 *     Of another JVM, the time between the two dumps that have shown the queue
 * @param place where they wait: the first frame that is the user's own
 * @param stack the stack of one of them, top first
 * @param holder who has it, and where that thread is; empty where that is unknown
 * @param stopped for how long none of them has got it; empty where one has
 */
public record WaitingThreads(
        String executor,
        Kind kind,
        String object,
        OptionalInt capacity,
        OptionalInt inUse,
        int waiting,
        double elsewhere,
        int looks,
        Duration waitTime,
        String place,
        List<String> stack,
        String holder,
        Optional<Stopped> stopped) {

    /** Copies the stack. */
    public WaitingThreads {
        Objects.requireNonNull(executor, "executor must not be null");
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(object, "object must not be null");
        Objects.requireNonNull(capacity, "capacity must not be null");
        Objects.requireNonNull(inUse, "inUse must not be null");
        Objects.requireNonNull(waitTime, "waitTime must not be null");
        Objects.requireNonNull(place, "place must not be null");
        Objects.requireNonNull(holder, "holder must not be null");
        Objects.requireNonNull(stopped, "stopped must not be null");
        stack = List.copyOf(stack);
    }

    /**
     * Returns these threads, of which none has got what it waits for.
     *
     * @param since in which time, not null
     * @return a copy
     */
    public WaitingThreads stopped(Stopped since) {
        return new WaitingThreads(
                executor,
                kind,
                object,
                capacity,
                inUse,
                waiting,
                elsewhere,
                looks,
                waitTime,
                place,
                stack,
                holder,
                Optional.of(since));
    }

    /**
     * A time in which threads began to wait and none has got what it waits for.
     *
     * @param length of that time
     * @param begun how many threads of the executor have begun in it; of another JVM, how many more wait
     */
    public record Stopped(Duration length, long begun) {

        /** Refuses null. */
        public Stopped {
            Objects.requireNonNull(length, "length must not be null");
        }
    }

    /** What threads wait for in line. A wait for a message or a time is none of these. */
    public enum Kind {
        /** A connection, or another thing that a library lends. */
        CONNECTION,
        /** A permit of a semaphore. */
        PERMIT,
        /** A lock of {@code java.util.concurrent}. */
        LOCK,
        /** A monitor: {@code synchronized}. */
        MONITOR,
        /** Room in a full queue, or a thread that takes what is handed over. Told only where none gets it. */
        ROOM,
        /** What other threads bring: a result of a future, a latch, an element. Told only where none gets it. */
        RESULT
    }
}
