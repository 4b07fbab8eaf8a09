package io.lifeguard.pool.compat;

import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.assertj.core.api.Assertions;

/** The fixture of checks on {@link java.util.concurrent.Executors} and similar classes. */
final class FactoryFixture extends Fixture {

    private final FactorySet factories;

    FactoryFixture(FactorySet factories) {
        this(factories, Delays.PATIENCE);
    }

    FactoryFixture(FactorySet factories, Duration patience) {
        super(patience);
        this.factories = factories;
    }

    FactorySet factories() {
        return factories;
    }

    ExecutorService make(String method) {
        return closing(factories.make(method));
    }

    ExecutorService make(String method, int size) {
        return closing(factories.make(method, size));
    }

    ExecutorService make(String method, ThreadFactory factory) {
        return closing(factories.make(method, factory));
    }

    ExecutorService make(String method, int size, ThreadFactory factory) {
        return closing(factories.make(method, size, factory));
    }

    ScheduledExecutorService singleScheduled() {
        return closing(factories.singleScheduled());
    }

    static ThreadPoolExecutor threadPool(ExecutorService pool) {
        Assertions.assertThat(pool).isInstanceOf(ThreadPoolExecutor.class);
        return (ThreadPoolExecutor) pool;
    }

    @Override
    public String toString() {
        return factories.toString();
    }
}
