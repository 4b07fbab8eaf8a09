package io.lifeguard.examples.orders.sickness;

import io.lifeguard.workbench.Hashing;
import java.util.concurrent.ExecutorService;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Many more threads than CPUs compute at the same time. */
@Component
@Profile("clinic")
final class CpuSaturated extends Sickness {

    private final ExecutorService pool;

    CpuSaturated(@Qualifier("checksums") ExecutorService pool) {
        super("cpu-saturated", "checksums", "32 workers compute and queue for the CPUs");
        this.pool = pool;
    }

    @Override
    void outbreak(Traffic traffic) {
        traffic.feed(pool, () -> Hashing.micros(1_000));
    }
}
