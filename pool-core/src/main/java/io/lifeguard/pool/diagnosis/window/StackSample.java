package io.lifeguard.pool.diagnosis.window;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The stacks of a pool's workers, sampled in a window. Immutable. Virtual threads are not in it: the JDK shows them
 * neither to {@link java.lang.management.ThreadMXBean} nor as holders of a lock.
 *
 * @param rounds how often the workers were looked at
 * @param workersPerRound how many workers the groups speak of, in the mean: all that there were. Where that is more
 *     than the budget allows, a part was looked at, another one each time, and stands for the rest
 * @param groups the workers, grouped by what they do and the first frame that is the user's own; largest first
 * @param locks the locks that workers wait for, most waiters first
 * @param starvedWorkers workers that wait for the result of a task which sits in their own pool's queue, in the mean.
 *     This is exact: the object they wait for is in the queue
 * @param perhapsStarvedWorkers further workers that wait for a result ({@code CompletableFuture}, latch,
 *     {@code ForkJoinTask}) of which nobody can tell which task makes it, while tasks sit in their pool's queue, in the
 *     mean. Calls to other services that are made that way look the same, so it means something only together with a
 *     pool that completes nothing
 * @param longestRunning the latest stacks of those workers that have been running one task for longest, by thread id,
 *     at most {@value #LONGEST}
 */
public record StackSample(
        int rounds,
        double workersPerRound,
        List<Group> groups,
        List<Lock> locks,
        double starvedWorkers,
        double perhapsStarvedWorkers,
        Map<Long, List<StackTraceElement>> longestRunning) {

    /** For how many long-running tasks a sample has the stack. */
    public static final int LONGEST = 8;

    /** Copies the lists. */
    public StackSample {
        groups = List.copyOf(groups);
        locks = List.copyOf(locks);
        longestRunning = Map.copyOf(longestRunning);
    }

    /**
     * A sample without the stacks of long-running tasks.
     *
     * @param rounds how often the workers were looked at
     * @param workersPerRound how many workers the groups speak of, in the mean
     * @param groups the workers by what they do
     * @param locks the locks that workers wait for
     * @param starvedWorkers workers that wait for a task in their own pool's queue
     */
    public StackSample(
            int rounds, double workersPerRound, List<Group> groups, List<Lock> locks, double starvedWorkers) {
        this(rounds, workersPerRound, groups, locks, starvedWorkers, 0, Map.of());
    }

    /**
     * How many workers did that, in the mean over the rounds.
     *
     * @param doing what, not null
     * @return a number between 0 and the number of workers
     */
    public double workers(Doing doing) {
        Objects.requireNonNull(doing, "doing must not be null");
        return groups.stream()
                .filter(group -> group.doing() == doing)
                .mapToDouble(Group::workers)
                .sum();
    }

    /**
     * The latest stack of a worker that has been running one task for long.
     *
     * @param threadId the worker's {@link WorkerWindow#threadId()}
     * @return its stack, top first; empty when it was not among the {@value #LONGEST} longest
     */
    public List<StackTraceElement> stackOf(long threadId) {
        return longestRunning.getOrDefault(threadId, List.of());
    }

    /**
     * Workers that did the same at the same place.
     *
     * @param doing what they did
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; the top
     *     frame when none is
     * @param workers how many, in the mean over the rounds
     * @param stack the stack of one of them, top first; empty for those that were idle
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
     * @param lock its class and identity, as {@code com.example.Orders@1a2b3c}; of the monitor of a class that class,
     *     as {@code class com.example.Orders}, where one of the waiters runs a method of it
     * @param monitor whether it is the monitor of an object ({@code synchronized}); else it is one of
     *     {@code java.util.concurrent.locks}
     * @param waiters workers of this pool that wait for it, in the mean over the rounds
     * @param place where they wait: the first frame that is the user's own; empty when no stack of a waiter was taken
     * @param owner name of the thread that held it, the last time a holder was seen
     * @param ownerStack where that thread was then, top first; empty when it is not known
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

        /**
         * A lock that nobody else waits for.
         *
         * @param lock its class and identity
         * @param monitor whether it is the monitor of an object
         * @param waiters workers of this pool that wait for it
         * @param place where they wait
         * @param owner name of the thread that held it
         * @param ownerStack where that thread was then
         */
        public Lock(
                String lock,
                boolean monitor,
                double waiters,
                String place,
                Optional<String> owner,
                List<StackTraceElement> ownerStack) {
            this(lock, monitor, waiters, place, owner, ownerStack, 0);
        }
    }
}
