package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The looks of the latest seconds at a group of event loops. Immutable.
 *
 * @param sharers how many threads share the work, as those of a dispatcher of Pekko do, also those that it has not
 *     started yet. With 0 each thread serves connections of its own, which no other thread can serve meanwhile
 * @param loops the threads of the group, in no particular order
 */
public record EventLoopLooks(int sharers, List<Loop> loops) {

    /** Copies the list. */
    public EventLoopLooks {
        loops = List.copyOf(loops);
    }

    /** {@return whether any of the threads does what there is to do} */
    public boolean shared() {
        return sharers > 0;
    }

    /**
     * One event loop.
     *
     * @param thread the name of its thread
     * @param looks how often it was looked at, not negative
     * @param held how often a handler held it up then
     * @param hold what held it up most often; empty when nothing did
     * @param fill how full it was; empty when that is unknown
     */
    public record Loop(String thread, int looks, int held, Optional<Hold> hold, Optional<Fill> fill) {}

    /**
     * How full a loop was in the latest seconds. Only its own CPU time counts: not pauses of the collector, and not the
     * time for which compilers or other threads had its CPU.
     *
     * @param busy its CPU time divided by the time for which it could have had a CPU, from 0 to 1
     * @param waits how often it waited for events, or for something else, in each second; empty where the system does
     *     not say
     * @param seconds how long it was watched, positive
     * @param parts what it did, as shares of the looks at it: the first methods of the user's code, as
     *     {@code com.example.Orders.load}; the framework's own work is missing
     */
    public record Fill(double busy, OptionalDouble waits, double seconds, Map<String, Double> parts) {

        /** Copies the parts. */
        public Fill {
            parts = Map.copyOf(parts);
        }
    }

    /**
     * What held a loop up.
     *
     * @param doing what its handler did; {@link Doing#COMPUTING} when it computed for too long
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}
     * @param longest for how long the loop was seen there without a return to its events; zero when it was seen once
     * @param stack the latest stack there, top first, down to the loop's own frame as far as it was taken
     * @param lock the lock that it waits for; empty when it waits for none, or it is unknown
     */
    public record Hold(
            Doing doing, String place, Duration longest, List<StackTraceElement> stack, Optional<Awaited.Lock> lock) {

        /** Copies the stack. */
        public Hold {
            stack = List.copyOf(stack);
        }
    }
}
