package io.lifeguard.pool.benchmarks.rivals;

/**
 * A kind of thread pool that takes part in the benchmarks. Immutable.
 *
 * @param name the short name, as in the tables and after {@code --rival}
 * @param description one line about it
 * @param waiting how a submitter waits when the bounded queue is full, which is the best way that the rival offers
 * @param capacities the queues that it offers
 * @param starter starts a pool
 */
public record Rival(String name, String description, String waiting, Capacities capacities, Starter starter) {
    /** The capacity of an unbounded queue. */
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

    /** The queues that a rival offers. */
    public enum Capacities {
        BOUNDED,
        UNBOUNDED,
        BOTH
    }

    /** Whether it offers this capacity, {@link #UNBOUNDED} included. */
    public boolean supports(int queueCapacity) {
        return capacities == Capacities.BOTH || (capacities == Capacities.UNBOUNDED) == (queueCapacity == UNBOUNDED);
    }

    /** Whether it is a pool at all, rather than the machine's ceiling. */
    public boolean isPool() {
        return !name.equals(Rivals.CEILING);
    }

    /** Starts a pool of {@code workers} threads with room for {@code queueCapacity} waiting tasks. */
    public RivalPool start(int workers, int queueCapacity) {
        if (!supports(queueCapacity)) {
            throw new IllegalArgumentException(name + " cannot be had with a queue of " + queueCapacity);
        }
        return starter.start(workers, queueCapacity);
    }
}
