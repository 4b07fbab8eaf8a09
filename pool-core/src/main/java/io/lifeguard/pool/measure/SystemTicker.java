package io.lifeguard.pool.measure;

import java.util.function.LongSupplier;

/** {@link System#nanoTime} as an object. No lambda, because the first pool of the JVM would wait for its class. */
final class SystemTicker implements LongSupplier {

    static final SystemTicker INSTANCE = new SystemTicker();

    private SystemTicker() {}

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
