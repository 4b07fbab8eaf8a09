package io.lifeguard.browser;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.report.PoolPage;
import io.lifeguard.workbench.Hashing;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps the live page open in two browsers under load, restarts its server in the middle, and prints the memory of the
 * tabs and of this JVM after a collection twice a minute. The argument is a number of minutes, 10 by default.
 */
final class WatchLivePage {

    private static final int CHECKS_PER_MINUTE = 2;
    private static final double MEBIBYTE = 1 << 20;

    private WatchLivePage() {}

    public static void main(String[] arguments) throws Exception {
        int checks = CHECKS_PER_MINUTE * (arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10);
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(16)
                .queueCapacity(4)
                .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                .build();
        Thread dispatcher = new Thread(() -> dispatch(pool), "dispatcher");
        dispatcher.start();
        PoolPage.Server server = PoolPage.serve(0);
        try (Browser one = Browser.start();
                Browser other = Browser.start()) {
            one.openLive(server.uri());
            other.openLive(server.uri());
            for (int i = 1; i <= checks; i++) {
                if (i == checks / 2) {
                    server.close();
                    TimeUnit.SECONDS.sleep(10);
                    server = PoolPage.serve(server.port());
                    TimeUnit.SECONDS.sleep(20);
                } else {
                    TimeUnit.SECONDS.sleep(60 / CHECKS_PER_MINUTE);
                }
                System.out.println(String.format(
                        Locale.ROOT,
                        "%5.1f min: tabs %.1f and %.1f MiB, JVM %.1f MiB, %.0f s shown, %d lines in the console",
                        (double) i / CHECKS_PER_MINUTE,
                        tab(one),
                        tab(other),
                        jvm(),
                        one.number("return picture.axis.whole"),
                        one.console().size()));
            }
        } finally {
            server.close();
            dispatcher.interrupt();
            dispatcher.join();
            pool.shutdownNow();
        }
    }

    private static void dispatch(InstrumentedThreadPoolExecutor pool) {
        while (!Thread.currentThread().isInterrupted()) {
            pool.execute(() -> {
                Hashing.micros(500);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            });
        }
    }

    /** What the page's scripts keep, after a collection. The log of the requests is read, so that it does not grow. */
    private static double tab(Browser browser) {
        browser.requests();
        browser.driver().executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        Map<String, Object> usage = browser.driver().executeCdpCommand("Runtime.getHeapUsage", Map.of());
        return ((Number) usage.get("usedSize")).doubleValue() / MEBIBYTE;
    }

    private static double jvm() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE;
    }
}
