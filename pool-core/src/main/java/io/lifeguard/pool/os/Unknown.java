package io.lifeguard.pool.os;

/**
 * The one number that stands for what is unknown, where a measurement must not allocate. Users see an {@code Optional}
 * instead. Stateless.
 */
public final class Unknown {

    /** No figure is negative, and that a clock of nanoseconds shows just this number is as good as impossible. */
    public static final long NUMBER = -1;

    private Unknown() {}
}
