package io.lifeguard.pool.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;

/** Micrometer's own meters for executors of the application that Boot does not meter. Thread-safe. */
final class UnmeteredExecutorMetrics implements MeterBinder {

    private final UnmeteredExecutors executors;

    UnmeteredExecutorMetrics(UnmeteredExecutors executors) {
        this.executors = executors;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        executors.forEach(
                (name, executor) -> new ExecutorServiceMetrics(executor, name, Tags.empty()).bindTo(registry));
    }
}
