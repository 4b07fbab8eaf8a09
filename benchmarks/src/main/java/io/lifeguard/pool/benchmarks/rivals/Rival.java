package io.lifeguard.pool.benchmarks.rivals;

/**
 * A kind of thread pool that takes part in the benchmarks. Immutable.
 *
 * @param name the short name, as in the tables and after {@code --rival}
 * @param description what it is, in one line
 * @param waiting how a submitter waits when the bounded queue is full: every rival gets the best way it offers
 * @param capacities the queues it can be had with
 * @param starter starts one
 */
public record Rival(String name, String description, String waiting, Capacities capacities, Starter starter) {
    /** The capacity of a queue that has no bound. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** Starts pools. */
    @FunctionalInterface
    public interface Starter {
        /**
         * Starts a pool of a fixed number of workers.
         *
         * @param queueCapacity tasks that may wait, or {@link #UNBOUNDED}
         */
        RivalPool start(int workers, int queueCapacity);
    }

    /** Which queues a rival can be had with. */
    public enum Capacities {
        BOUNDED,
        UNBOUNDED,
        BOTH
    }

    /** Whether it can be had with this capacity, {@link #UNBOUNDED} included. */
    public boolean supports(int queueCapacity) {
        return capacities == Capacities.BOTH || (capacities == Capacities.UNBOUNDED) == (queueCapacity == UNBOUNDED);
    }

    /** Starts a pool of {@code workers} threads with room for {@code queueCapacity} waiting tasks. */
    public RivalPool start(int workers, int queueCapacity) {
        if (!supports(queueCapacity)) {
            throw new IllegalArgumentException(name + " cannot be had with a queue of " + queueCapacity);
        }
        return starter.start(workers, queueCapacity);
    }
}
