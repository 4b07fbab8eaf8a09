package io.lifeguard.pool.micrometer;

import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Creates and ends pools, and finds their meters in a registry. */
final class MeteredPools {

    private MeteredPools() {}

    static InstrumentedThreadPoolExecutor pool(String name) {
        return InstrumentedThreadPoolExecutor.named(name).size(1).build();
    }

    static void end(ExecutorService pool) {
        pool.shutdown();
        await().until(pool::isTerminated);
    }

    static List<Meter> metersOf(MeterRegistry registry, String pool) {
        return registry.getMeters().stream()
                .filter(meter -> pool.equals(meter.getId().getTag("name")))
                .toList();
    }

    static double submitted(MeterRegistry registry, String pool) {
        return registry.get("lifeguard.submitted")
                .tag("name", pool)
                .functionCounter()
                .count();
    }
}
