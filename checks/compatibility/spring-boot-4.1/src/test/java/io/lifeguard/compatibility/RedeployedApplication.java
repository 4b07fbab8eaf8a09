package io.lifeguard.compatibility;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** A web application that uses a pool of each kind, and shuts them down when it is stopped. Tomcat loads it. */
public final class RedeployedApplication implements ServletContextListener {

    private List<ExecutorService> pools = List.of();

    @Override
    public void contextInitialized(ServletContextEvent event) {
        pools = List.of(
                InstrumentedThreadPoolExecutor.named("orders").size(2).build(),
                InstrumentedExecutors.newSingleThreadExecutor(),
                InstrumentedExecutors.newCachedThreadPool(),
                InstrumentedExecutors.newScheduledThreadPool(1),
                InstrumentedExecutors.newWorkStealingPool(1));
        for (ExecutorService pool : pools) {
            CompletableFuture.runAsync(() -> {}, pool).join();
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        try {
            for (ExecutorService pool : pools) {
                pool.shutdown();
                if (!pool.awaitTermination(20, TimeUnit.SECONDS)) {
                    throw new AssertionError("not terminated: " + pool);
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
