package io.lifeguard.pool.diagnosis.window;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Sampled stacks of a pool's workers in one window. Immutable.
 *
 * <p>Virtual threads are missing: the JDK shows them neither to {@link java.lang.management.ThreadMXBean} nor as
 * holders of a lock.
 *
 * @param rounds how often the workers were looked at
 * @param workersPerRound the mean number of workers that the groups stand for: all workers. If the budget does not
 *     suffice for all, each round looks at another part, which stands for the others
 * @param groups the workers, grouped by what they do and the first frame that is the user's own; largest first
 * @param locks the locks that workers wait for, most waiters first
 * @param starvedWorkers mean number of workers that wait for the result of a task in their own pool's queue. This is
 *     exact: the object they wait for is in the queue
 * @param perhapsStarvedWorkers mean number of further workers that wait for a result while tasks sit in their pool's
 *     queue, where the task behind the result is unknown ({@code CompletableFuture}, latch, {@code ForkJoinTask}).
 *     Calls to other services may look the same, so it only counts for a pool that completes nothing
 * @param longestRunning the latest stacks of the workers that have run one task for longest, by thread id, at most
 *     {@value #LONGEST}
 */
public record StackSample(
        int rounds,
        double workersPerRound,
        List<Group> groups,
        List<Lock> locks,
        double starvedWorkers,
        double perhapsStarvedWorkers,
        Map<Long, List<StackTraceElement>> longestRunning) {

    /** How many stacks of long-running tasks a sample has at most. */
    public static final int LONGEST = 8;

    /** Copies the lists. */
    public StackSample {
        groups = List.copyOf(groups);
        locks = List.copyOf(locks);
        longestRunning = Map.copyOf(longestRunning);
    }

    /**
     * {@return the mean number of workers that did something, over all rounds}
     *
     * @param doing what they did, not null
     */
    public double workers(Doing doing) {
        Objects.requireNonNull(doing, "doing must not be null");
        return groups.stream()
                .filter(group -> group.doing() == doing)
                .mapToDouble(Group::workers)
                .sum();
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

    /**
     * Workers that did the same at the same place.
     *
     * @param doing what they did
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; the top
     *     frame when there is none
     * @param workers how many, in the mean over the rounds
     * @param stack the stack of one of them, top first; empty for idle workers
     */
    public record Group(Doing doing, String place, double workers, List<StackTraceElement> stack) {

        /** Copies the stack. */
        public Group {
            stack = List.copyOf(stack);
        }
    }

    /**
     * A lock that workers wait for.
     *
     * @param lock its class and identity, as {@code com.example.Orders@1a2b3c}; for the monitor of a class
     *     {@code class com.example.Orders}, where one of the waiters runs a method of it
     * @param monitor true for the monitor of an object ({@code synchronized}), false for a lock of
     *     {@code java.util.concurrent.locks}
     * @param waiters workers of this pool that wait for it, in the mean over the rounds
     * @param place where they wait: the first frame that is the user's own; empty when no stack of a waiter was taken
     * @param owner name of the last thread that was seen to hold it
     * @param ownerStack the stack of that thread then, top first; empty when it is not known
     * @param otherWaiters threads outside of this pool that wait for it, in the mean over the rounds
     */
    public record Lock(
            String lock,
            boolean monitor,
            double waiters,
            String place,
            Optional<String> owner,
            List<StackTraceElement> ownerStack,
            double otherWaiters) {

        /** Copies the stack. */
        public Lock {
            ownerStack = List.copyOf(ownerStack);
        }
    }
}
