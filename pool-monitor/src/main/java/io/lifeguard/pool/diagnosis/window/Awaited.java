package io.lifeguard.pool.diagnosis.window;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What workers at one place wait for, where that is known. Immutable. */
public sealed interface Awaited {

    /**
     * A lock.
     *
     * @param name its class and identity, as {@code com.example.Orders@1a2b3c}; the class alone where each wait is for
     *     another object of it; for the monitor of a class {@code class com.example.Orders}
     * @param monitor true for the monitor of an object ({@code synchronized}), false for a lock of
     *     {@code java.util.concurrent.locks}
     * @param owner name of the thread that was last seen to hold it; empty when it is unknown
     * @param ownerStack the stack of that thread then, top first; empty when it is unknown
     * @param otherWaiters threads outside of this pool that wait for it, on average
     */
    record Lock(
            String name,
            boolean monitor,
            Optional<String> owner,
            List<StackTraceElement> ownerStack,
            double otherWaiters)
            implements Awaited {

        /** Copies the stack. */
        public Lock {
            ownerStack = List.copyOf(ownerStack);
        }
    }

    /**
     * The result of a task.
     *
     * @param pool the pool that has the task in its queue or runs it; empty when it is unknown
     * @param queued whether the task was seen in that pool's queue
     */
    record Result(Optional<String> pool, boolean queued) implements Awaited {}

    /**
     * What workers queue for: connections, permits, room, or anything else that other threads provide; also the rate of
     * a limiter for which they sleep.
     *
     * @param name what it is, as {@code HikariPool-1} or {@code java.util.concurrent.Semaphore@1a2b3c}
     * @param limited whether it is known to be limited: connections, permits, or room in a full queue; false for what
     *     may just not be there yet, such as an element of an empty queue
     * @param served the largest number of workers that were seen past the queue at once; empty when none was seen
     * @param capacity how many it can serve at once, where it could be asked
     * @param inUse how many of them are in use, where it could be asked
     */
    record Line(String name, boolean limited, OptionalInt served, OptionalInt capacity, OptionalInt inUse)
            implements Awaited {

        private static final String ROOM = "room in a full ";
        private static final String RATE = "the rate of ";
        private static final String LOCKED = "a row or table that another transaction of ";

        /**
         * {@return the name of the room in a full queue}
         *
         * @param queue the queue's name, not null
         */
        public static String roomIn(String queue) {
            return ROOM + queue;
        }

        /**
         * {@return the name of what a transaction of this database has locked}
         *
         * @param database the database's name, not null
         */
        public static String lockedBy(String database) {
            return LOCKED + database + " has locked";
        }

        /** {@return whether the workers wait for the end of a transaction} */
        public boolean isLocked() {
            return name.startsWith(LOCKED);
        }

        /**
         * {@return the rate of a limiter}
         *
         * @param limiter the limiter's class, not null
         */
        public static Line ofRate(String limiter) {
            return new Line(RATE + limiter, true, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        }

        /** {@return whether the workers sleep until a rate limiter lets them go on} */
        public boolean isRate() {
            return name.startsWith(RATE);
        }

        /** {@return whether the workers wait for room in a full queue} */
        public boolean isRoom() {
            return name.startsWith(ROOM);
        }
    }
}
