package io.lifeguard.pool.diagnosis.seen;

/**
 * A pool of connections, or of another limited resource, that the workers of thread pools wait for. Implementations
 * must be thread-safe and quick, and must not start what they read.
 */
public interface Lender {

    /** {@return the library, as {@code HikariCP}} */
    String library();

    /**
     * {@return whether a thread that wants a connection waits in the library, so that its stack shows the library}
     * Otherwise the thread waits for the result of its call, and its stack shows no pool.
     */
    default boolean isOnStacks() {
        return true;
    }

    /** {@return its name, as {@code HikariPool-1}; not blank} */
    String name();

    /** {@return how many things it lends at most} */
    int capacity();

    /** {@return how many are lent now} */
    int inUse();

    /** {@return how many threads or calls wait for one now} */
    int waiting();

    /** {@return what a reader types to change the capacity, as {@code spring.datasource.hikari.maximum-pool-size}} */
    String setting();
}
