package io.lifeguard.pool.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Registers what Micrometer's own {@code ExecutorServiceMetrics} would, under the same names, units and types. Stateless. */
final class StandardMeters {

    private StandardMeters() {}

    static void register(Registrar meters) {
        threads(
                meters,
                MeterNames.ACTIVE,
                "Threads that run a task",
                reading -> reading.now().active());
        threads(
                meters,
                MeterNames.POOL_SIZE,
                "Threads alive",
                reading -> reading.now().size());
        threads(
                meters,
                MeterNames.POOL_CORE,
                "Threads that stay",
                reading -> reading.now().limits().coreSize());
        threads(
                meters,
                MeterNames.POOL_MAX,
                "Threads at most",
                reading -> reading.now().limits().maximumSize());
        meters.gauge(
                MeterNames.QUEUED,
                BaseUnits.TASKS,
                "Tasks in the queue",
                reading -> reading.now().queued());
        meters.gauge(
                MeterNames.QUEUE_REMAINING,
                BaseUnits.TASKS,
                "Free places in the queue",
                reading -> reading.now().limits().queueRemaining());
        meters.counter(
                MeterNames.COMPLETED,
                BaseUnits.TASKS,
                "Tasks run to their end",
                Tags.empty(),
                reading -> reading.now().completed());
    }

    private static void threads(Registrar meters, String meter, String description, ToDoubleFunction<Reading> number) {
        meters.gauge(meter, BaseUnits.THREADS, description, number);
    }

    static void registerScheduled(Registrar meters) {
        meters.counter(
                MeterNames.SCHEDULED_ONCE, null, "Tasks scheduled to run once", Tags.empty(), Reading::scheduledOnce);
        meters.counter(
                MeterNames.SCHEDULED_REPETITIVELY,
                null,
                "Tasks scheduled to run repetitively",
                Tags.empty(),
                Reading::scheduledRepetitively);
    }

    /** What a wrapper of Micrometer's would have measured, so a user of theirs may want these names too. */
    static void registerTimers(Registrar meters, boolean withMax) {
        timer(meters, MeterNames.EXECUTION, PoolTime.SERVICE_TIME, "How long tasks ran", withMax);
        timer(meters, MeterNames.IDLE, PoolTime.QUEUE_WAIT, "How long tasks waited in the queue", withMax);
    }

    private static void timer(Registrar meters, String meter, PoolTime time, String description, boolean withMax) {
        meters.timer(
                meter,
                description,
                Tags.empty(),
                reading -> time.of(reading.now()).count(),
                reading -> time.of(reading.now()).total().toNanos());
        if (withMax) {
            TimeMeters.max(meters, meter, time);
        }
    }

    /** Micrometer gives fork-join pools other meters, some without a unit. Their getters are cheap, so nothing is kept. */
    static void registerForkJoin(Registrar meters, Tags name, ForkJoinPool pool) {
        meters.tried(
                MeterNames.STEALS,
                () -> FunctionCounter.builder(MeterNames.STEALS, pool, ForkJoinPool::getStealCount)
                        .tags(name)
                        .description("Tasks that workers took from each other")
                        .register(meters.registry()));
        forkJoin(meters, name, pool, MeterNames.QUEUED, null, "Tasks in the queues", StandardMeters::queued);
        forkJoin(
                meters,
                name,
                pool,
                MeterNames.ACTIVE,
                null,
                "Threads that run or steal tasks",
                ForkJoinPool::getActiveThreadCount);
        forkJoin(
                meters,
                name,
                pool,
                MeterNames.RUNNING,
                null,
                "Threads that do not wait for others",
                ForkJoinPool::getRunningThreadCount);
        forkJoin(
                meters,
                name,
                pool,
                MeterNames.PARALLELISM,
                BaseUnits.THREADS,
                "The parallelism",
                ForkJoinPool::getParallelism);
        forkJoin(
                meters,
                name,
                pool,
                MeterNames.POOL_SIZE,
                BaseUnits.THREADS,
                "Threads alive",
                ForkJoinPool::getPoolSize);
    }

    private static double queued(ForkJoinPool pool) {
        return (double) pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
    }

    private static void forkJoin(
            Registrar meters,
            Tags name,
            ForkJoinPool pool,
            String meter,
            @Nullable String unit,
            String description,
            ToDoubleFunction<ForkJoinPool> number) {
        meters.tried(
                meter,
                () -> Gauge.builder(meter, pool, number)
                        .tags(name)
                        .baseUnit(unit)
                        .description(description)
                        .register(meters.registry()));
    }
}
