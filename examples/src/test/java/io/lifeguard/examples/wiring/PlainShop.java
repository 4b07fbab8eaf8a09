package io.lifeguard.examples.wiring;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** A program without a container. */
final class PlainShop implements AutoCloseable {

    final ExecutorService orders = InstrumentedExecutors.newFixedThreadPool("orders", 8);
    final ThreadPoolExecutor reports = (ThreadPoolExecutor) Executors.newFixedThreadPool(2); // is not replaced

    PlainShop() {
        PoolMonitor.global().watch(reports, "reports");
    }

    @Override
    public void close() {
        orders.shutdown();
        reports.shutdown();
    }
}
