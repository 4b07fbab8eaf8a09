package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The meters for the kinds of tasks of one pool. Registered under the lock of {@link RegistryMeters}; read by any
 * thread.
 *
 * <p>The first kinds, up to a limit, have meters of their own. All others share the meters of the kind
 * {@value MeterRow#OTHER}.
 */
final class KindMeters {

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet(); // kinds that have meters, "(other)" included

    KindMeters(int most) {
        this.most = most;
    }

    /** Returns whether the reading has a kind that should have meters and has none. */
    boolean isMissingOne(Reading reading) {
        return most > 0 && reading.now().kinds().stream().anyMatch(kind -> !known.contains(meteredAs(kind)));
    }

    /** Registers meters for the kinds in the reading that have none yet. */
    void register(Registrar registrar, Reading reading) {
        for (TaskKind kind : reading.now().kinds()) {
            String name = meteredAs(kind);
            if (known.add(name)) {
                timer(registrar, name, MeterRow.KIND_SERVICE_TIME, TaskKind::wall);
                timer(registrar, name, MeterRow.KIND_CPU_TIME, TaskKind::cpu);
                timer(registrar, name, MeterRow.KIND_QUEUE_WAIT, TaskKind::queueWait);
            }
        }
    }

    private String meteredAs(TaskKind kind) {
        int own = known.size() - (known.contains(MeterRow.OTHER) ? 1 : 0);
        return own >= most && !known.contains(kind.name()) ? MeterRow.OTHER : kind.name();
    }

    private void timer(Registrar registrar, String kind, MeterRow meter, Function<TaskKind, Duration> time) {
        registrar.timer(
                meter,
                reading -> sum(reading, kind, TaskKind::count),
                reading -> sum(reading, kind, each -> time.apply(each).toNanos()),
                MeterRow.TAG_KIND,
                kind);
    }

    private double sum(Reading reading, String kind, ToDoubleFunction<TaskKind> number) {
        return reading.now().kinds().stream()
                .filter(each -> meteredAs(each).equals(kind))
                .mapToDouble(number)
                .sum();
    }
}
