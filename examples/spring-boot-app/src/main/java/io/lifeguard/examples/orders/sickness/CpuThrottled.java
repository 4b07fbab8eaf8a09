package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.CpuQuota;
import io.lifeguard.workbench.Hashing;
import java.util.concurrent.ExecutorService;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A container has half a CPU, and its pool could use two. Works only if the application may set its own CPU quota. */
@Component
@Profile("clinic")
final class CpuThrottled extends Sickness {

    private static final double CPUS = 0.5;

    private final ExecutorService pool;
    private final CpuQuota quota = CpuQuota.ofThisProcess();

    CpuThrottled(@Qualifier("archive") ExecutorService pool) {
        super("cpu-throttled", "archive", "the container may use half a CPU, and two workers want one each");
        this.pool = pool;
    }

    @Override
    void outbreak(Traffic traffic) {
        quota.set(CPUS);
        traffic.feed(pool, () -> Hashing.micros(500));
    }

    @Override
    void cure() {
        quota.lift();
    }
}
