package io.lifeguard.pool.benchmarks.rivals;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A running pool of one rival. Used by one thread. */
public final class RivalPool implements AutoCloseable {
    /** The CPU time of a pool that does not measure it. */
    public static final long UNKNOWN = -1;

    private final ExecutorService service;
    private final @Nullable LongSupplier cpuNanos;
    private final LongSupplier idleCpuNanos;

    RivalPool(ExecutorService service) {
        this(service, null, () -> 0);
    }

    RivalPool(ExecutorService service, @Nullable LongSupplier cpuNanos, LongSupplier idleCpuNanos) {
        this.service = service;
        this.cpuNanos = cpuNanos;
        this.idleCpuNanos = idleCpuNanos;
    }

    /** Accepts tasks. Waits when the queue is full. */
    public Executor executor() {
        return service;
    }

    /** CPU time of all tasks so far that the pool reports, in nanoseconds, or {@link #UNKNOWN}. */
    public long cpuNanos() {
        return cpuNanos == null ? UNKNOWN : cpuNanos.getAsLong();
    }

    /** CPU time of idle workers so far that the pool reports, in nanoseconds, or 0 if it reports none. */
    public long idleCpuNanos() {
        return idleCpuNanos.getAsLong();
    }

    /** Ends the pool and waits for its threads. */
    @Override
    public void close() {
        service.shutdownNow();
        try {
            if (!service.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the pool has not ended within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the pool ended", e);
        }
    }
}
