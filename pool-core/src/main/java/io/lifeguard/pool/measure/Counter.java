package io.lifeguard.pool.measure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter with many writers that never fails when memory is short, because it counts tasks that are already accepted.
 * Thread-safe.
 */
public final class Counter {

    // written by any thread; a stale read misses the latest
    private final LongAdder sum = new LongAdder();
    private final AtomicLong rest = new AtomicLong(); // an adder allocates when threads meet at it

    public void add(long count) {
        try {
            sum.add(count);
        } catch (OutOfMemoryError e) { // before anything was added
            rest.addAndGet(count);
        }
    }

    public void increment() {
        add(1);
    }

    public void decrement() {
        add(-1);
    }

    public long sum() {
        return sum.sum() + rest.get();
    }
}
