package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.lang.ref.WeakReference;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of Micrometer's own {@code ExecutorServiceMetrics}, under the same names, units and types.
 * Stateless.
 */
final class StandardMeters {

    private StandardMeters() {}

    static void register(Registrar registrar) {
        String threads = BaseUnits.THREADS;
        String tasks = BaseUnits.TASKS;
        String free = "Free places in the queue";
        registrar.gauge(MeterNames.ACTIVE, threads, "Threads that run a task", Reading.of(PoolSnapshot::active));
        registrar.gauge(MeterNames.POOL_SIZE, threads, "Threads alive", Reading.of(PoolSnapshot::size));
        registrar.gauge(MeterNames.POOL_CORE, threads, "Threads that stay", Reading.ofLimits(Limits::coreSize));
        registrar.gauge(MeterNames.POOL_MAX, threads, "Threads at most", Reading.ofLimits(Limits::maximumSize));
        registrar.gauge(MeterNames.QUEUED, tasks, "Tasks in the queue", Reading.of(PoolSnapshot::queued));
        registrar.gauge(MeterNames.QUEUE_REMAINING, tasks, free, Reading.ofLimits(Limits::queueRemaining));
        registrar.counter(MeterNames.COMPLETED, tasks, "Tasks run to their end", Reading.of(PoolSnapshot::completed));
    }

    static void registerScheduled(Registrar registrar) {
        String once = "Tasks scheduled to run once";
        String repetitively = "Tasks scheduled to run repetitively";
        registrar.counter(MeterNames.SCHEDULED_ONCE, null, once, Reading::scheduledOnce);
        registrar.counter(MeterNames.SCHEDULED_REPETITIVELY, null, repetitively, Reading::scheduledRepetitively);
    }

    /** Registers the timers of Micrometer's wrapper, for dashboards that use them. */
    static void registerTimers(Registrar registrar, boolean withMax) {
        timer(registrar, MeterNames.EXECUTION, PoolTime.SERVICE_TIME, "How long tasks ran", withMax);
        timer(registrar, MeterNames.IDLE, PoolTime.QUEUE_WAIT, "How long tasks waited in the queue", withMax);
    }

    private static void timer(Registrar registrar, String meter, PoolTime time, String what, boolean withMax) {
        registrar.timer(meter, what, time::count, time::totalNanos);
        if (withMax) {
            TimeMeters.max(registrar, meter, time);
        }
    }

    /** Registers Micrometer's other meters for fork-join pools, some of which have no unit. */
    static void registerForkJoin(Registrar registrar, ForkJoinPool pool) {
        String threads = BaseUnits.THREADS;
        String stolen = "Tasks that workers took from each other";
        String active = "Threads that run or steal tasks";
        String running = "Threads that do not wait for others";
        registrar.counter(MeterNames.STEALS, null, stolen, of(pool, ForkJoinPool::getStealCount));
        registrar.gauge(MeterNames.QUEUED, null, "Tasks in the queues", of(pool, StandardMeters::queued));
        registrar.gauge(MeterNames.ACTIVE, null, active, of(pool, ForkJoinPool::getActiveThreadCount));
        registrar.gauge(MeterNames.RUNNING, null, running, of(pool, ForkJoinPool::getRunningThreadCount));
        registrar.gauge(MeterNames.PARALLELISM, threads, "The parallelism", of(pool, ForkJoinPool::getParallelism));
        registrar.gauge(MeterNames.POOL_SIZE, threads, "Threads alive", of(pool, ForkJoinPool::getPoolSize));
    }

    static double queued(ForkJoinPool pool) {
        return (double) pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
    }

    /** Asks the pool itself, because its snapshot does not have these numbers. Holds the pool weakly. */
    static ToDoubleFunction<Reading> of(ForkJoinPool pool, ToDoubleFunction<ForkJoinPool> number) {
        WeakReference<ForkJoinPool> weak = new WeakReference<>(pool);
        return reading -> {
            ForkJoinPool living = weak.get();
            return living == null ? Double.NaN : number.applyAsDouble(living);
        };
    }
}
