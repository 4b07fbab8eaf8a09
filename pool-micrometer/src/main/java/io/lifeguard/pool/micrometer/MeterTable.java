package io.lifeguard.pool.micrometer;

import static io.lifeguard.pool.micrometer.Reading.ofLimits;
import static io.lifeguard.pool.micrometer.Reading.ofSystem;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.lang.ref.WeakReference;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.ToDoubleFunction;

/** Tells which meters a pool has, and the number of each, except the distributions. Stateless. */
final class MeterTable {

    private MeterTable() {}

    static void standard(Registrar to, InstrumentedPool pool) {
        if (pool instanceof ForkJoinPool forkJoin) {
            to.counter(MeterRow.STEALS, ask(forkJoin, ForkJoinPool::getStealCount));
            to.gauge(MeterRow.FORK_JOIN_QUEUED, ask(forkJoin, MeterTable::queued));
            to.gauge(MeterRow.FORK_JOIN_ACTIVE, ask(forkJoin, ForkJoinPool::getActiveThreadCount));
            to.gauge(MeterRow.RUNNING, ask(forkJoin, ForkJoinPool::getRunningThreadCount));
            to.gauge(MeterRow.PARALLELISM, ask(forkJoin, ForkJoinPool::getParallelism));
            to.gauge(MeterRow.POOL_SIZE, ask(forkJoin, ForkJoinPool::getPoolSize));
        } else {
            to.gauge(MeterRow.ACTIVE, Reading.of(PoolSnapshot::active));
            to.gauge(MeterRow.POOL_SIZE, Reading.of(PoolSnapshot::size));
            to.gauge(MeterRow.POOL_CORE, ofLimits(Limits::coreSize));
            to.gauge(MeterRow.POOL_MAX, ofLimits(Limits::maximumSize));
            to.gauge(MeterRow.QUEUED, Reading.of(PoolSnapshot::queued));
            to.gauge(MeterRow.QUEUE_REMAINING, ofLimits(Limits::queueRemaining));
            to.counter(MeterRow.COMPLETED, Reading.of(PoolSnapshot::completed));
        }
        if (pool instanceof ScheduledExecutorService) {
            to.counter(MeterRow.SCHEDULED_ONCE, Reading::scheduledOnce);
            to.counter(MeterRow.SCHEDULED_REPETITIVELY, Reading::scheduledRepetitively);
        }
    }

    /** Those of Micrometer's wrapper, for dashboards that use them. */
    static void standardTimers(Registrar to, boolean withMax) {
        standardTimer(to, MeterRow.EXECUTION, PoolTime.SERVICE_TIME, withMax);
        standardTimer(to, MeterRow.IDLE, PoolTime.QUEUE_WAIT, withMax);
    }

    private static void standardTimer(Registrar to, MeterRow meter, PoolTime time, boolean withMax) {
        to.timer(meter, time::count, time::totalNanos);
        if (withMax) {
            TimeMeters.max(to, meter.name(), time);
        }
    }

    /** Those that Micrometer's own binder does not have. */
    static void lifeguards(Registrar to, InstrumentedPool pool) {
        boolean isQueueDue = !(pool instanceof ScheduledExecutorService);
        to.counter(MeterRow.SUBMITTED, Reading.of(PoolSnapshot::submitted));
        to.counter(MeterRow.FAILED, Reading.of(PoolSnapshot::failed));
        to.counter(MeterRow.CALLER_RUNS, Reading.of(PoolSnapshot::callerRuns));
        for (RejectionReason reason : RejectionReason.values()) {
            String tag = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
            ToDoubleFunction<Reading> count =
                    Reading.of(now -> now.saturation().rejections().getOrDefault(reason, 0L));
            if (reason == RejectionReason.LEFT_TO_HANDLER) {
                to.counter(MeterRow.LEFT_TO_HANDLER, count);
            } else {
                to.counter(MeterRow.REJECTED, count, MeterRow.TAG_REASON, tag);
            }
        }
        to.counter(MeterRow.RUN_QUEUE_DELAY, ofSystem(times -> PoolTime.seconds(times.runQueueDelay())));
        to.counter(MeterRow.SWITCHES, ofSystem(ThreadTimes::voluntarySwitches), MeterRow.TAG_KIND, "voluntary");
        to.counter(MeterRow.SWITCHES, ofSystem(ThreadTimes::involuntarySwitches), MeterRow.TAG_KIND, "involuntary");
        to.counter(MeterRow.OVERHEAD, Reading::overheadSeconds);
        to.counter(
                MeterRow.IDLE_CPU,
                Reading.of(now -> PoolTime.seconds(now.overhead().idleCpuTime())));
        to.gauge(MeterRow.UTILISATION, Load::utilisation);
        to.gauge(MeterRow.SATURATION, reading -> Load.saturation(reading, isQueueDue));
        to.gauge(MeterRow.BLOCKED_SUBMITTERS, Reading.of(now -> now.saturation().blockedNow()));
        to.seconds(
                MeterRow.QUEUE_HEAD_AGE,
                Reading.of(now -> PoolTime.seconds(now.load().oldestQueued())));
        to.seconds(MeterRow.QUEUE_FULL_IN, Reading::queueFullInSeconds);
        to.gauge(MeterRow.RECOMMENDED_SIZE, Reading::recommendedSize);
    }

    static void openTelemetrys(Registrar to, InstrumentedPool pool) {
        to.counter(MeterRow.OTEL_COMPLETED, Reading.of(PoolSnapshot::completed));
        to.counter(MeterRow.OTEL_REJECTED, Reading.of(PoolSnapshot::rejected));
        if (pool instanceof ForkJoinPool forkJoin) {
            threads(to, "active", ask(forkJoin, ForkJoinPool::getActiveThreadCount));
            threads(to, "idle", ask(forkJoin, p -> Math.max(0, p.getPoolSize() - p.getActiveThreadCount())));
            to.gauge(MeterRow.OTEL_QUEUE_SIZE, ask(forkJoin, MeterTable::queued));
        } else {
            threads(to, "active", Reading.of(PoolSnapshot::active));
            threads(to, "idle", Reading.of(now -> Math.max(0, now.size() - now.active())));
            to.gauge(MeterRow.OTEL_QUEUE_SIZE, Reading.of(PoolSnapshot::queued));
            to.gauge(MeterRow.OTEL_CORE, ofLimits(Limits::coreSize));
        }
    }

    private static void threads(Registrar to, String state, ToDoubleFunction<Reading> number) {
        to.gauge(MeterRow.OTEL_THREADS, number, MeterRow.OTEL_TAG_STATE, state);
    }

    static void openTelemetrysLimit(Registrar to) {
        to.gauge(MeterRow.OTEL_LIMIT, ofLimits(Limits::maximumSize));
    }

    static void openTelemetrysCapacity(Registrar to) {
        to.gauge(MeterRow.OTEL_CAPACITY, Reading.of(MeterTable::capacity));
    }

    /** At least {@link Integer#MAX_VALUE} for a queue without a bound. */
    static long capacity(PoolSnapshot now) {
        return (long) now.queued() + now.limits().queueRemaining();
    }

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
