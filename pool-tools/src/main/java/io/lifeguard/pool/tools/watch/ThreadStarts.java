package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.time.Duration;
import java.util.List;

/**
 * How many virtual threads start in another JVM, by the numbers of those that its carriers carry. Not thread-safe.
 *
 * <p>The JVM numbers its threads as they are made, and they start in that order. So the highest number that is carried
 * tells how many have started. Platform threads have numbers too, so fewer virtual threads start than is counted.
 */
final class ThreadStarts {

    /** Starts are counted over so much time, and over twice as much at most. */
    private static final long COUNTED = Duration.ofSeconds(3).toNanos();

    /** In less time too few threads start to tell how many do in a second. */
    private static final long LEAST_COUNTED = Duration.ofSeconds(1).toNanos();

    private Seen first = Seen.NONE;
    private Seen earlier = Seen.NONE; // than the recent one
    private Seen recent = Seen.NONE;
    private Seen latest = Seen.NONE;

    /** The highest number of a virtual thread that had been carried at a time. */
    private record Seen(long number, long at) {
        static final Seen NONE = new Seen(0, 0);
    }

    /** Adds a look. */
    void see(List<DumpedThread> carriers, long now) {
        long highest = carriers.stream()
                .mapToLong(carrier -> carrier.carries().getAsLong())
                .reduce(latest.number, Math::max);
        latest = new Seen(highest, now);
        if (recent.number == 0) {
            first = latest;
            earlier = latest;
            recent = latest;
        } else if (now - recent.at >= COUNTED) {
            earlier = recent;
            recent = latest;
        }
    }

    /**
     * {@return how long a new thread waits until it starts, in nanoseconds; 0 where that is unknown} By Little's law it
     * is the number of threads that have not started, divided by how many start in a second. No longer than starts were
     * counted: the queue may be younger.
     */
    long delay(int unstarted) {
        long length = latest.at - earlier.at;
        long started = latest.number - earlier.number;
        return length < LEAST_COUNTED || started <= 0
                ? 0
                : Math.min(Math.round((double) unstarted * length / started), latest.at - first.at);
    }
}
