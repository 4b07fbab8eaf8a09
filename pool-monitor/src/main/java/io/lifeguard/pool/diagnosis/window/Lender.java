package io.lifeguard.pool.diagnosis.window;

/**
 * A pool of connections, or of another limited resource, that the workers of thread pools wait for. Implementations
 * must be thread-safe and quick, and must not start what they read.
 */
public interface Lender {

    /** {@return the library, as {@code HikariCP}: its frames are known, and stand on the stacks of those that wait} */
    String library();

    /** {@return its name, as {@code HikariPool-1}; not blank} */
    String name();

    /** {@return how many things it lends at most} */
    int capacity();

    /** {@return how many are lent now} */
    int inUse();

    /** {@return how many threads wait for one now} */
    int waiting();

    /** {@return what a reader types to change the capacity, as {@code spring.datasource.hikari.maximum-pool-size}} */
    String setting();
}
