package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.seen.Lender;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A connection pool as the monitor sees it: where each number and text comes from. As thread-safe as these.
 *
 * @param library its library
 * @param isOnStacks whether a stack that waits for a connection shows which library it is
 * @param names what it is called now
 * @param most how many connections it may have
 * @param used how many are in use
 * @param pending how many threads or calls wait for one
 * @param settings where their number is set
 */
record LenderNumbers(
        String library,
        boolean isOnStacks,
        Supplier<String> names,
        IntSupplier most,
        IntSupplier used,
        IntSupplier pending,
        Supplier<String> settings)
        implements Lender {

    @Override
    public String name() {
        return names.get();
    }

    @Override
    public int capacity() {
        return Math.max(1, most.getAsInt());
    }

    @Override
    public int inUse() {
        return used.getAsInt();
    }

    @Override
    public int waiting() {
        return pending.getAsInt();
    }

    @Override
    public String setting() {
        return settings.get();
    }
}
