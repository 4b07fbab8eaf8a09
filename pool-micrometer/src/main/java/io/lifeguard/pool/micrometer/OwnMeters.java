package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Registers what no other pool has: counts by what became of tasks, what the operating system says, and how the pool is. Stateless. */
final class OwnMeters {

    private static final String SECONDS = "seconds";

    private OwnMeters() {}

    static void register(Registrar meters, boolean isQueueDue) {
        counts(meters);
        system(meters);
        state(meters, isQueueDue);
    }

    private static void counts(Registrar meters) {
        count(
                meters,
                MeterNames.SUBMITTED,
                BaseUnits.TASKS,
                "Tasks accepted",
                reading -> reading.now().submitted());
        count(
                meters,
                MeterNames.FAILED,
                BaseUnits.TASKS,
                "Tasks that ended with an exception",
                reading -> reading.now().failed());
        count(
                meters,
                MeterNames.CALLER_RUNS,
                null,
                "Tasks run by the thread that submitted them",
                reading -> reading.now().callerRuns());
        for (RejectionReason reason : RejectionReason.values()) {
            if (reason == RejectionReason.LEFT_TO_HANDLER) {
                count(
                        meters,
                        MeterNames.LEFT_TO_HANDLER,
                        BaseUnits.TASKS,
                        "Tasks given to a user's own handler",
                        reading -> rejections(reading.now(), reason));
            } else {
                meters.counter(
                        MeterNames.REJECTED,
                        BaseUnits.TASKS,
                        "Tasks turned away",
                        Tags.of(MeterNames.TAG_REASON, tag(reason)),
                        reading -> rejections(reading.now(), reason));
            }
        }
    }

    private static long rejections(PoolSnapshot now, RejectionReason reason) {
        return now.saturation().rejections().getOrDefault(reason, 0L);
    }

    private static void system(Registrar meters) {
        count(
                meters,
                MeterNames.RUN_QUEUE_DELAY,
                SECONDS,
                "How long workers were ready to run and had no CPU",
                reading -> seconds(reading.system().runQueueDelay()));
        switches(meters, "voluntary", reading -> reading.system().voluntarySwitches());
        switches(meters, "involuntary", reading -> reading.system().involuntarySwitches());
        count(meters, MeterNames.OVERHEAD, SECONDS, "CPU time that measuring has cost", Reading::overheadSeconds);
        count(
                meters,
                MeterNames.IDLE_CPU,
                SECONDS,
                "CPU time that workers burnt without a task",
                reading -> seconds(reading.now().overhead().idleCpuTime()));
    }

    private static void switches(Registrar meters, String kind, ToDoubleFunction<Reading> number) {
        meters.counter(
                MeterNames.SWITCHES, null, "Context switches of workers", Tags.of(MeterNames.TAG_KIND, kind), number);
    }

    private static void state(Registrar meters, boolean isQueueDue) {
        meters.gauge(
                MeterNames.UTILISATION,
                null,
                "Recent share of the workers' time in which they had a task",
                reading -> Load.utilisation(reading.now(), reading.window()));
        meters.gauge(
                MeterNames.SATURATION,
                null,
                "How much of what the pool may do was asked of it recently, 0 to 1",
                reading -> Load.saturation(reading.now(), reading.window(), isQueueDue));
        meters.gauge(
                MeterNames.BLOCKED_SUBMITTERS,
                null,
                "Submitters that wait for room now",
                reading -> reading.now().saturation().blockedNow());
        meters.seconds(
                MeterNames.QUEUE_HEAD_AGE,
                "Age of the oldest task in the queue",
                Tags.empty(),
                reading -> seconds(reading.now().oldestQueued()));
        meters.seconds(
                MeterNames.QUEUE_FULL_IN,
                "When the queue is full, NaN unless it is growing",
                Tags.empty(),
                Reading::queueFullInSeconds);
        meters.gauge(
                MeterNames.RECOMMENDED_SIZE,
                BaseUnits.THREADS,
                "Workers that the pool should have, NaN unless a finding says so",
                Reading::recommendedSize);
    }

    private static void count(
            Registrar meters,
            String meter,
            @Nullable String unit,
            String description,
            ToDoubleFunction<Reading> number) {
        meters.counter(meter, unit, description, Tags.empty(), number);
    }

    private static String tag(RejectionReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
