package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one pool under the names of OpenTelemetry's proposed conventions for JVM executors (semantic
 * conventions, issue 3956 and pull request 3970, state of September 2026).
 *
 * <p>Micrometer has no up-down counter, so those are gauges. They have no base unit: OpenTelemetry's {@code {thread}}
 * and {@code {task}} add nothing to a name in Prometheus, and Micrometer's units would.
 */
final class OpenTelemetryMeters {

    private static final String ACTIVE = "active";
    private static final String IDLE = "idle";

    // Written under the lock of RegistryMeters. After a stale read the registration is tried once more.
    private volatile boolean hasLimit;
    private volatile boolean hasCapacity;

    void register(Registrar registrar, InstrumentedPool pool) {
        registrar.counter(MeterNames.OTEL_COMPLETED, null, "Tasks completed", Reading.of(PoolSnapshot::completed));
        registrar.counter(MeterNames.OTEL_REJECTED, null, "Tasks rejected", Reading.of(PoolSnapshot::rejected));
        if (pool instanceof ForkJoinPool forkJoin) {
            hasLimit =
                    true; // it may exceed its parallelism, and its queues have no bound: there is nothing to register
            hasCapacity = true;
            threads(registrar, ACTIVE, StandardMeters.of(forkJoin, ForkJoinPool::getActiveThreadCount));
            threads(registrar, IDLE, StandardMeters.of(forkJoin, OpenTelemetryMeters::idle));
            queueSize(registrar, StandardMeters.of(forkJoin, StandardMeters::queued));
        } else {
            threads(registrar, ACTIVE, Reading.of(PoolSnapshot::active));
            threads(registrar, IDLE, Reading.of(now -> Math.max(0, now.size() - now.active())));
            queueSize(registrar, Reading.of(PoolSnapshot::queued));
            String what = "Threads that stay";
            registrar.gauge(MeterNames.OTEL_CORE, null, what, Reading.ofLimits(PoolSnapshot.Limits::coreSize));
        }
    }

    private static void threads(Registrar registrar, String state, ToDoubleFunction<Reading> number) {
        String what = "Threads in that state";
        registrar.gauge(MeterNames.OTEL_THREADS, null, what, number, MeterNames.OTEL_TAG_STATE, state);
    }

    private static void queueSize(Registrar registrar, ToDoubleFunction<Reading> number) {
        registrar.gauge(MeterNames.OTEL_QUEUE_SIZE, null, "Tasks in the queue", number);
    }

    private static int idle(ForkJoinPool pool) {
        return Math.max(0, pool.getPoolSize() - pool.getActiveThreadCount());
    }

    /** A pool gets these two with its first reading, because its constructor may not have set them before. */
    boolean isMissingBound(Reading reading) {
        return (!hasLimit && hasLimit(reading)) || (!hasCapacity && hasCapacity(reading));
    }

    /** Registers limit and capacity as far as there are bounds. The conventions ask to leave out the others. */
    void registerBounds(Registrar registrar, Reading reading) {
        if (!hasLimit && hasLimit(reading)) {
            hasLimit = true;
            String what = "Threads at most";
            registrar.gauge(MeterNames.OTEL_LIMIT, null, what, Reading.ofLimits(PoolSnapshot.Limits::maximumSize));
        }
        if (!hasCapacity && hasCapacity(reading)) {
            hasCapacity = true;
            String what = "Tasks that the queue can hold";
            registrar.gauge(MeterNames.OTEL_CAPACITY, null, what, Reading.of(OpenTelemetryMeters::capacity));
        }
    }

    private static boolean hasLimit(Reading reading) {
        return reading.now().limits().maximumSize() < Integer.MAX_VALUE;
    }

    private static boolean hasCapacity(Reading reading) {
        return capacity(reading.now()) < Integer.MAX_VALUE;
    }

    /** At least {@link Integer#MAX_VALUE} for a queue without a bound. */
    private static long capacity(PoolSnapshot now) {
        return (long) now.queued() + now.limits().queueRemaining();
    }
}
