package io.lifeguard.pool.diagnosis.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the workers' time of a window went. Immutable.
 *
 * <p>All numbers are mean numbers of workers, so the shares of a window add up to {@link #workers}. What was not seen
 * is a share of its own, {@link Doing#UNKNOWN}. Missing evidence never counts as any other share.
 *
 * @param workers the mean number of workers, not negative
 * @param looks how often the states of all workers were looked at
 * @param stacks how many stacks of workers were taken
 * @param shares what the workers did and where, largest first
 * @param longestRunning the latest stacks of the workers that have run one task for longest, by thread id, at most
 *     {@value #LONGEST}
 */
public record TimeBreakdown(
        double workers, int looks, int stacks, List<Share> shares, Map<Long, List<StackTraceElement>> longestRunning) {

    /** How many stacks of long-running tasks are kept at most. */
    public static final int LONGEST = 8;

    /** Sorts and copies the collections. */
    public TimeBreakdown {
        List<Share> sorted = new ArrayList<>(shares);
        sorted.sort(new LargestFirst());
        shares = List.copyOf(sorted);
        longestRunning = Map.copyOf(longestRunning);
    }

    /**
     * {@return a breakdown of which nothing is known}
     *
     * @param workers the mean number of workers, not negative
     */
    public static TimeBreakdown unknown(double workers) {
        Share all = new Share(Doing.UNKNOWN, "", Estimate.exactly(workers), List.of(), Optional.empty());
        return new TimeBreakdown(workers, 0, 0, workers == 0 ? List.of() : List.of(all), Map.of());
    }

    /**
     * {@return the mean number of workers that did one of these}
     *
     * <p>Compare {@link Estimate#low()} to be sure that they are at least so many, and {@link Estimate#high()} plus
     * {@link #unknown()} to be sure that they are fewer. The error of a sum over many places is at most that of a
     * simple sample of as many stacks.
     *
     * @param doing what they did, not null
     */
    public Estimate workers(Doing... doing) {
        List<Doing> wanted = Arrays.asList(doing);
        Estimate sum = Estimate.ZERO;
        for (Share share : shares) {
            sum = wanted.contains(share.doing()) ? sum.plus(share.workers()) : sum;
        }
        if (stacks == 0 || workers == 0) {
            return sum;
        }
        double hits = Math.min(1, sum.value() / workers) * stacks;
        return new Estimate(
                sum.value(),
                Math.min(sum.error(), Estimate.ofSample(hits, stacks, workers).error()));
    }

    /** {@return the mean number of workers of which it is unknown what they did} */
    public double unknown() {
        return workers(Doing.UNKNOWN).value();
    }

    /**
     * {@return the shares with workers that did this, largest first}
     *
     * @param doing what they did, not null
     */
    public Stream<Share> places(Doing doing) {
        Objects.requireNonNull(doing, "doing must not be null");
        return shares.stream().filter(share -> share.doing() == doing);
    }

    /**
     * {@return the latest stack, top first, of a worker that has run one task for long; empty when it is not among the
     * {@value #LONGEST} longest}
     *
     * @param threadId the worker's {@link WorkerWindow#threadId()}
     */
    public List<StackTraceElement> stackOf(long threadId) {
        return longestRunning.getOrDefault(threadId, List.of());
    }

    private static final class LargestFirst implements Comparator<Share> {
        @Override
        public int compare(Share one, Share other) {
            return Double.compare(other.workers().value(), one.workers().value());
        }
    }

    /**
     * Workers that did the same at the same place.
     *
     * @param doing what they did
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; the top
     *     frame when there is none; empty when no stack of them was taken
     * @param workers how many, on average
     * @param stack the stack of one of them, top first; empty when none was taken
     * @param awaited what they wait for; empty when they do not wait, or it is unknown
     */
    public record Share(
            Doing doing, String place, Estimate workers, List<StackTraceElement> stack, Optional<Awaited> awaited) {

        /** Copies the stack. */
        public Share {
            Objects.requireNonNull(doing, "doing must not be null");
            Objects.requireNonNull(place, "place must not be null");
            Objects.requireNonNull(workers, "workers must not be null");
            Objects.requireNonNull(awaited, "awaited must not be null");
            stack = List.copyOf(stack);
        }
    }
}
