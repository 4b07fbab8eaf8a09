package io.lifeguard.pool.benchmarks.rivals;

import com.codahale.metrics.InstrumentedExecutorService;
import com.codahale.metrics.MetricRegistry;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.ExecutorService;

/** The usual measuring wrappers around the baseline. */
final class WrappedPools {
    private static final String NAME = "benchmark";

    private WrappedPools() {}

    static ExecutorService micrometer(int workers, int queueCapacity) {
        return ExecutorServiceMetrics.monitor(
                new SimpleMeterRegistry(), StockPools.linked(workers, queueCapacity), NAME);
    }

    static ExecutorService dropwizard(int workers, int queueCapacity) {
        return new InstrumentedExecutorService(StockPools.linked(workers, queueCapacity), new MetricRegistry(), NAME);
    }
}
