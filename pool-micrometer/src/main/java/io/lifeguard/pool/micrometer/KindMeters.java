package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * The kinds of tasks of one pool as meters: those that are met first, up to a limit, and all others together. Registered under the registry's
 * lock; read by any thread.
 */
final class KindMeters {

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet(); // that have meters, "(other)" among them

    KindMeters(int most) {
        this.most = most;
    }

    /** Whether there is a kind in the reading that should have meters, and has none. */
    boolean isMissingOne(Reading reading) {
        return most > 0
                && !reading.now().kinds().stream()
                        .allMatch(
                                kind -> known.contains(kind.name()) || (isFull() && known.contains(MeterNames.OTHER)));
    }

    /** Registers the kinds in the reading that have no meters yet. */
    void register(Registrar meters, Reading reading) {
        for (TaskKind kind : reading.now().kinds()) {
            String name = isFull() && !known.contains(kind.name()) ? MeterNames.OTHER : kind.name();
            if (known.add(name)) {
                register(meters, name);
            }
        }
    }

    private boolean isFull() {
        return known.size() - (known.contains(MeterNames.OTHER) ? 1 : 0) >= most;
    }

    private void register(Registrar meters, String kind) {
        timer(
                meters,
                kind,
                MeterNames.KIND_SERVICE_TIME,
                "Wall time",
                each -> each.wall().toNanos());
        timer(
                meters,
                kind,
                MeterNames.KIND_CPU_TIME,
                "CPU time",
                each -> each.cpu().toNanos());
        timer(
                meters,
                kind,
                MeterNames.KIND_QUEUE_WAIT,
                "Queue wait",
                each -> each.queueWait().toNanos());
    }

    private void timer(Registrar meters, String kind, String meter, String what, ToDoubleFunction<TaskKind> nanos) {
        meters.timer(
                meter,
                what + " by kind of task",
                Tags.of(MeterNames.TAG_KIND, kind),
                reading -> sum(reading, kind, TaskKind::count),
                reading -> sum(reading, kind, nanos));
    }

    private double sum(Reading reading, String kind, ToDoubleFunction<TaskKind> number) {
        List<TaskKind> kinds = reading.now().kinds();
        return kinds.stream()
                .filter(each ->
                        each.name().equals(kind) || (kind.equals(MeterNames.OTHER) && !known.contains(each.name())))
                .mapToDouble(number)
                .sum();
    }
}
