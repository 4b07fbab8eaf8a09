package io.lifeguard.pool.micrometer;

import static io.lifeguard.pool.micrometer.Reading.ofLimits;
import static io.lifeguard.pool.micrometer.Reading.ofSystem;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.lang.ref.WeakReference;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.ToDoubleFunction;

/** The table of a pool's meters: name, unit, meaning and number of each, except the distributions. Stateless. */
final class MeterTable {

    private static final String THREADS = BaseUnits.THREADS;
    private static final String TASKS = BaseUnits.TASKS;
    private static final String SECONDS = "seconds";

    private MeterTable() {}

    // ---- the meters of Micrometer's own ExecutorServiceMetrics, under the same names, units and types ----

    static void standard(Registrar to, InstrumentedPool pool) {
        if (pool instanceof ForkJoinPool forkJoin) { // some of these have no unit
            to.counter(
                    MeterNames.STEALS,
                    null,
                    "Tasks that workers took from each other",
                    ask(forkJoin, ForkJoinPool::getStealCount));
            to.gauge(MeterNames.QUEUED, null, "Tasks in the queues", ask(forkJoin, MeterTable::queued));
            to.gauge(
                    MeterNames.ACTIVE,
                    null,
                    "Threads that run or steal tasks",
                    ask(forkJoin, ForkJoinPool::getActiveThreadCount));
            to.gauge(
                    MeterNames.RUNNING,
                    null,
                    "Threads that do not wait for others",
                    ask(forkJoin, ForkJoinPool::getRunningThreadCount));
            to.gauge(MeterNames.PARALLELISM, THREADS, "The parallelism", ask(forkJoin, ForkJoinPool::getParallelism));
            to.gauge(MeterNames.POOL_SIZE, THREADS, "Threads alive", ask(forkJoin, ForkJoinPool::getPoolSize));
        } else {
            to.gauge(MeterNames.ACTIVE, THREADS, "Threads that run a task", Reading.of(PoolSnapshot::active));
            to.gauge(MeterNames.POOL_SIZE, THREADS, "Threads alive", Reading.of(PoolSnapshot::size));
            to.gauge(MeterNames.POOL_CORE, THREADS, "Threads that stay", ofLimits(Limits::coreSize));
            to.gauge(MeterNames.POOL_MAX, THREADS, "Threads at most", ofLimits(Limits::maximumSize));
            to.gauge(MeterNames.QUEUED, TASKS, "Tasks in the queue", Reading.of(PoolSnapshot::queued));
            to.gauge(MeterNames.QUEUE_REMAINING, TASKS, "Free places in the queue", ofLimits(Limits::queueRemaining));
            to.counter(MeterNames.COMPLETED, TASKS, "Tasks run to their end", Reading.of(PoolSnapshot::completed));
        }
        if (pool instanceof ScheduledExecutorService) {
            to.counter(MeterNames.SCHEDULED_ONCE, null, "Tasks scheduled to run once", Reading::scheduledOnce);
            to.counter(
                    MeterNames.SCHEDULED_REPETITIVELY,
                    null,
                    "Tasks scheduled to run repetitively",
                    Reading::scheduledRepetitively);
        }
    }

    /** Those of Micrometer's wrapper, for dashboards that use them. */
    static void standardTimers(Registrar to, boolean withMax) {
        standardTimer(to, MeterNames.EXECUTION, PoolTime.SERVICE_TIME, "How long tasks ran", withMax);
        standardTimer(to, MeterNames.IDLE, PoolTime.QUEUE_WAIT, "How long tasks waited in the queue", withMax);
    }

    private static void standardTimer(Registrar to, String meter, PoolTime time, String what, boolean withMax) {
        to.timer(meter, what, time::count, time::totalNanos);
        if (withMax) {
            TimeMeters.max(to, meter, time);
        }
    }

    // ---- those that Micrometer's own binder does not have ----

    static void lifeguards(Registrar to, InstrumentedPool pool) {
        boolean isQueueDue = !(pool instanceof ScheduledExecutorService);
        to.counter(MeterNames.SUBMITTED, TASKS, "Tasks accepted", Reading.of(PoolSnapshot::submitted));
        to.counter(MeterNames.FAILED, TASKS, "Tasks that ended with an exception", Reading.of(PoolSnapshot::failed));
        to.counter(
                MeterNames.CALLER_RUNS,
                null,
                "Tasks run by the thread that submitted them",
                Reading.of(PoolSnapshot::callerRuns));
        for (RejectionReason reason : RejectionReason.values()) {
            String tag = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
            ToDoubleFunction<Reading> count =
                    Reading.of(now -> now.saturation().rejections().getOrDefault(reason, 0L));
            if (reason == RejectionReason.LEFT_TO_HANDLER) {
                to.counter(MeterNames.LEFT_TO_HANDLER, TASKS, "Tasks given to a user's own handler", count);
            } else {
                to.counter(MeterNames.REJECTED, TASKS, "Tasks turned away", count, MeterNames.TAG_REASON, tag);
            }
        }
        to.counter(
                MeterNames.RUN_QUEUE_DELAY,
                SECONDS,
                "How long workers were ready to run and had no CPU",
                ofSystem(times -> PoolTime.seconds(times.runQueueDelay())));
        switches(to, "voluntary", ThreadTimes::voluntarySwitches);
        switches(to, "involuntary", ThreadTimes::involuntarySwitches);
        to.counter(MeterNames.OVERHEAD, SECONDS, "CPU time that measuring has cost", Reading::overheadSeconds);
        to.counter(
                MeterNames.IDLE_CPU,
                SECONDS,
                "CPU time that workers burnt without a task",
                Reading.of(now -> PoolTime.seconds(now.overhead().idleCpuTime())));
        to.gauge(
                MeterNames.UTILISATION,
                null,
                "Recent share of the workers' time in which they had a task",
                Load::utilisation);
        to.gauge(
                MeterNames.SATURATION,
                null,
                "How much of what the pool may do was asked of it recently, 0 to 1",
                reading -> Load.saturation(reading, isQueueDue));
        to.gauge(
                MeterNames.BLOCKED_SUBMITTERS,
                null,
                "Submitters that wait for room now",
                Reading.of(now -> now.saturation().blockedNow()));
        to.seconds(
                MeterNames.QUEUE_HEAD_AGE,
                "Age of the oldest task in the queue",
                Reading.of(now -> PoolTime.seconds(now.load().oldestQueued())));
        to.seconds(
                MeterNames.QUEUE_FULL_IN,
                "When the queue will be full, NaN unless it is growing",
                Reading::queueFullInSeconds);
        to.gauge(
                MeterNames.RECOMMENDED_SIZE,
                THREADS,
                "Workers that the pool should have, NaN unless a finding says so",
                Reading::recommendedSize);
    }

    private static void switches(Registrar to, String kind, ToDoubleFunction<ThreadTimes> number) {
        to.counter(
                MeterNames.SWITCHES, null, "Context switches of workers", ofSystem(number), MeterNames.TAG_KIND, kind);
    }

    // ---- OpenTelemetry's proposed conventions for JVM executors ----

    /*
     * Semantic conventions, #3956 and #3970, state of September 2026. Micrometer has no up-down
     * counter, so those are gauges. They have no base unit: OpenTelemetry's {thread} and {task} add nothing to a name
     * in Prometheus, and Micrometer's units would.
     */

    static void openTelemetrys(Registrar to, InstrumentedPool pool) {
        to.counter(MeterNames.OTEL_COMPLETED, null, "Tasks completed", Reading.of(PoolSnapshot::completed));
        to.counter(MeterNames.OTEL_REJECTED, null, "Tasks rejected", Reading.of(PoolSnapshot::rejected));
        if (pool instanceof ForkJoinPool forkJoin) {
            threads(to, "active", ask(forkJoin, ForkJoinPool::getActiveThreadCount));
            threads(to, "idle", ask(forkJoin, p -> Math.max(0, p.getPoolSize() - p.getActiveThreadCount())));
            to.gauge(MeterNames.OTEL_QUEUE_SIZE, null, "Tasks in the queue", ask(forkJoin, MeterTable::queued));
        } else {
            threads(to, "active", Reading.of(PoolSnapshot::active));
            threads(to, "idle", Reading.of(now -> Math.max(0, now.size() - now.active())));
            to.gauge(MeterNames.OTEL_QUEUE_SIZE, null, "Tasks in the queue", Reading.of(PoolSnapshot::queued));
            to.gauge(MeterNames.OTEL_CORE, null, "Threads that stay", ofLimits(Limits::coreSize));
        }
    }

    private static void threads(Registrar to, String state, ToDoubleFunction<Reading> number) {
        to.gauge(MeterNames.OTEL_THREADS, null, "Threads in that state", number, MeterNames.OTEL_TAG_STATE, state);
    }

    static void openTelemetrysLimit(Registrar to) {
        to.gauge(MeterNames.OTEL_LIMIT, null, "Threads at most", ofLimits(Limits::maximumSize));
    }

    static void openTelemetrysCapacity(Registrar to) {
        to.gauge(MeterNames.OTEL_CAPACITY, null, "Tasks that the queue can hold", Reading.of(MeterTable::capacity));
    }

    /** At least {@link Integer#MAX_VALUE} for a queue without a bound. */
    static long capacity(PoolSnapshot now) {
        return (long) now.queued() + now.limits().queueRemaining();
    }

    // ---- fork-join pools ----

    private static double queued(ForkJoinPool pool) {
        return (double) pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
    }

    /** Asks the pool itself, because its snapshot does not have these numbers. Holds the pool weakly. */
    private static ToDoubleFunction<Reading> ask(ForkJoinPool pool, ToDoubleFunction<ForkJoinPool> number) {
        WeakReference<ForkJoinPool> weak = new WeakReference<>(pool);
        return reading -> {
            ForkJoinPool living = weak.get();
            return living == null ? Double.NaN : number.applyAsDouble(living);
        };
    }
}
