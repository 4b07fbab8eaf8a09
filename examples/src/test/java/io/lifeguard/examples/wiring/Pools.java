package io.lifeguard.examples.wiring;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** Pools of a program that CDI wires. */
@ApplicationScoped
class Pools {

    @Produces
    @Singleton
    @Named("orders")
    ExecutorService orders() {
        return InstrumentedExecutors.newFixedThreadPool("orders", 8);
    }

    @Produces
    @Singleton
    @Named("reports")
    ThreadPoolExecutor reports() {
        ThreadPoolExecutor reports = (ThreadPoolExecutor) Executors.newFixedThreadPool(2); // is not replaced
        PoolMonitor.global().watch(reports, "reports");
        return reports;
    }

    void stop(@Disposes @Named("orders") ExecutorService pool) {
        pool.shutdown();
    }

    void stopReports(@Disposes @Named("reports") ThreadPoolExecutor pool) {
        pool.shutdown();
    }
}
