package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Registers the meters that Micrometer's own binder does not have, except the distributions. Stateless. */
final class LifeguardMeters {

    private static final String TASKS = BaseUnits.TASKS;
    private static final String SECONDS = "seconds";

    private LifeguardMeters() {}

    static void register(Registrar registrar, boolean isQueueDue) {
        registerCounts(registrar);
        registerSystem(registrar);
        registerState(registrar, isQueueDue);
    }

    private static void registerCounts(Registrar registrar) {
        String failed = "Tasks that ended with an exception";
        String callerRuns = "Tasks run by the thread that submitted them";
        registrar.counter(MeterNames.SUBMITTED, TASKS, "Tasks accepted", Reading.of(PoolSnapshot::submitted));
        registrar.counter(MeterNames.FAILED, TASKS, failed, Reading.of(PoolSnapshot::failed));
        registrar.counter(MeterNames.CALLER_RUNS, null, callerRuns, Reading.of(PoolSnapshot::callerRuns));
        for (RejectionReason reason : RejectionReason.values()) {
            String tag = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
            ToDoubleFunction<Reading> count =
                    Reading.of(now -> now.saturation().rejections().getOrDefault(reason, 0L));
            if (reason == RejectionReason.LEFT_TO_HANDLER) {
                registrar.counter(MeterNames.LEFT_TO_HANDLER, TASKS, "Tasks given to a user's own handler", count);
            } else {
                registrar.counter(MeterNames.REJECTED, TASKS, "Tasks turned away", count, MeterNames.TAG_REASON, tag);
            }
        }
    }

    private static void registerSystem(Registrar registrar) {
        String delay = "How long workers were ready to run and had no CPU";
        String overhead = "CPU time that measuring has cost";
        String idleCpu = "CPU time that workers burnt without a task";
        registrar.counter(
                MeterNames.RUN_QUEUE_DELAY,
                SECONDS,
                delay,
                Reading.ofSystem(times -> PoolTime.seconds(times.runQueueDelay())));
        switches(registrar, "voluntary", ThreadTimes::voluntarySwitches);
        switches(registrar, "involuntary", ThreadTimes::involuntarySwitches);
        registrar.counter(MeterNames.OVERHEAD, SECONDS, overhead, Reading::overheadSeconds);
        registrar.counter(MeterNames.IDLE_CPU, SECONDS, idleCpu, Reading.of(LifeguardMeters::idleCpuSeconds));
    }

    private static void switches(Registrar registrar, String kind, ToDoubleFunction<ThreadTimes> number) {
        String what = "Context switches of workers";
        registrar.counter(MeterNames.SWITCHES, null, what, Reading.ofSystem(number), MeterNames.TAG_KIND, kind);
    }

    private static double idleCpuSeconds(PoolSnapshot now) {
        return PoolTime.seconds(now.overhead().idleCpuTime());
    }

    private static void registerState(Registrar registrar, boolean isQueueDue) {
        String utilisation = "Recent share of the workers' time in which they had a task";
        String saturation = "How much of what the pool may do was asked of it recently, 0 to 1";
        String blocked = "Submitters that wait for room now";
        String headAge = "Age of the oldest task in the queue";
        String fullIn = "When the queue will be full, NaN unless it is growing";
        String size = "Workers that the pool should have, NaN unless a finding says so";
        registrar.gauge(MeterNames.UTILISATION, null, utilisation, Load::utilisation);
        registrar.gauge(MeterNames.SATURATION, null, saturation, reading -> Load.saturation(reading, isQueueDue));
        registrar.gauge(MeterNames.BLOCKED_SUBMITTERS, null, blocked, Reading.of(LifeguardMeters::blockedNow));
        registrar.seconds(
                MeterNames.QUEUE_HEAD_AGE,
                headAge,
                Reading.of(now -> PoolTime.seconds(now.load().oldestQueued())));
        registrar.seconds(MeterNames.QUEUE_FULL_IN, fullIn, Reading::queueFullInSeconds);
        registrar.gauge(MeterNames.RECOMMENDED_SIZE, BaseUnits.THREADS, size, Reading::recommendedSize);
    }

    private static double blockedNow(PoolSnapshot now) {
        return now.saturation().blockedNow();
    }
}
