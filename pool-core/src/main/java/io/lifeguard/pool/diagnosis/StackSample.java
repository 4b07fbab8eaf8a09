package io.lifeguard.pool.diagnosis;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The stacks of a pool's workers, sampled in a window. Immutable.
 *
 * @param rounds how often the workers were looked at
 * @param workersPerRound how many workers were looked at each time, in the mean
 * @param groups the workers, grouped by what they do and the first frame that is the user's own; largest first
 * @param locks the locks that workers wait for, most waiters first
 * @param starvedWorkers workers that wait for the result of a task which sits in their own pool's queue, in the mean
 */
public record StackSample(
        int rounds, double workersPerRound, List<Group> groups, List<Lock> locks, double starvedWorkers) {

    /** Copies the lists. */
    public StackSample {
        groups = List.copyOf(groups);
        locks = List.copyOf(locks);
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
     * Workers that did the same at the same place.
     *
     * @param doing what they did
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; the top frame when
     *     none is
     * @param workers how many, in the mean over the rounds
     * @param stack the stack of one of them, top first
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
     * @param lock its class and identity, as {@code com.example.Orders@1a2b3c}
     * @param monitor whether it is the monitor of an object ({@code synchronized}); else it is one of {@code java.util.concurrent.locks}
     * @param waiters workers of this pool that wait for it, in the mean over the rounds
     * @param place where they wait: the first frame that is the user's own
     * @param owner name of the thread that held it, the last time a holder was seen
     * @param ownerStack where that thread was then, top first; empty when it is not known
     */
    public record Lock(
            String lock,
            boolean monitor,
            double waiters,
            String place,
            Optional<String> owner,
            List<StackTraceElement> ownerStack) {

        /** Copies the stack. */
        public Lock {
            ownerStack = List.copyOf(ownerStack);
        }
    }
}
