package io.lifeguard.pool.benchmarks.rivals;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A running pool of one rival. Used by one thread. */
public final class RivalPool implements AutoCloseable {
    private final ExecutorService service;
    private final Supplier<Times> times;

    /**
     * What a pool reports of all its tasks so far, in nanoseconds.
     *
     * @param idleCpuNanos CPU time of idle workers, 0 if the pool reports none
     */
    public record Times(double cpuNanos, double idleCpuNanos, double queueWaitNanos, double serviceNanos) {
        static final Times UNKNOWN = new Times(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /** What was added since then. */
        public Times since(Times earlier) {
            return new Times(
                    cpuNanos - earlier.cpuNanos,
                    idleCpuNanos - earlier.idleCpuNanos,
                    queueWaitNanos - earlier.queueWaitNanos,
                    serviceNanos - earlier.serviceNanos);
        }
    }

    RivalPool(ExecutorService service) {
        this(service, () -> Times.UNKNOWN);
    }

    RivalPool(ExecutorService service, Supplier<Times> times) {
        this.service = service;
        this.times = times;
    }

    /** Accepts tasks. Waits when the queue is full. */
    public Executor executor() {
        return service;
    }

    /** What the pool reports, or not-a-numbers if it measures nothing. */
    public Times times() {
        return times.get();
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
