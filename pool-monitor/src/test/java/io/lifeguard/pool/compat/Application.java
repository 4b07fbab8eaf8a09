package io.lifeguard.pool.compat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Recorder;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Applications that are stopped a moment after their start. Loaded by the class loader of a deployment. */
public final class Application {

    private Application() {}

    /** All workers have been idle for all their life. */
    public static void withIdleWorkers() throws InterruptedException {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("idle").size(2).build();
        pool.prestartAllCoreThreads();
        pool.shutdown();
        if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
            throw new AssertionError("not terminated");
        }
    }

    /** The monitor has judged the pool, which terminates after that. Its end needs classes that were not used yet. */
    public static void withJudgedPool() throws InterruptedException {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("judged").size(1).build();
        ManagementFactory.getPlatformMBeanServer(); // from now on the monitor publishes the pool
        CountDownLatch judged = new CountDownLatch(2);
        PoolMonitor.global().window(Duration.ofMillis(50));
        PoolMonitor.global().addRule(window -> {
            judged.countDown();
            return Verdict.clear();
        });
        pool.execute(() -> {});
        if (!judged.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("not judged");
        }
        pool.shutdown();
        if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
            throw new AssertionError("not terminated");
        }
    }

    /**
     * A task ends after the class loader was closed, long enough to be recorded, and then its worker does.
     *
     * @param closed opened after the loader was closed
     * @param deaths gets what ends the worker's thread
     * @return the worker's thread
     */
    public static Thread withTaskThatEndsLater(CountDownLatch closed, Collection<Throwable> deaths) {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("later")
                .size(1)
                .threadFactory(body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((dead, failure) -> deaths.add(failure));
                    return thread;
                })
                .build();
        Recorder recorder = new Recorder(LiveSink.NONE); // before a monitor has its first round
        recorder.open();
        recorder.advance(System.nanoTime(), Instant.now());
        pool.execute(() -> {
            worker.complete(Thread.currentThread());
            try {
                closed.await();
            } catch (InterruptedException e) {
                deaths.add(e);
            }
        });
        pool.shutdown();
        return worker.join();
    }

    /** Each pool runs a task of a future, and one that fails. */
    public static void withAllPools() {
        InstrumentedThreadPoolExecutor orders =
                InstrumentedThreadPoolExecutor.named("orders").size(2).build();
        ExecutorService single = InstrumentedExecutors.newSingleThreadExecutor();
        ExecutorService cached = InstrumentedExecutors.newCachedThreadPool();
        ScheduledExecutorService scheduled = InstrumentedExecutors.newScheduledThreadPool(1);
        ExecutorService stealing = InstrumentedExecutors.newWorkStealingPool(1);
        try {
            for (ExecutorService pool : new ExecutorService[] {orders, single, cached, scheduled, stealing}) {
                CompletableFuture.runAsync(() -> {}, pool).get();
                fail(pool);
            }
            orders.snapshot();
            for (ExecutorService pool : new ExecutorService[] {orders, single, cached, scheduled, stealing}) {
                pool.shutdown();
                if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
                    throw new AssertionError("not terminated");
                }
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static void fail(ExecutorService pool) throws InterruptedException {
        try {
            pool.submit(() -> {
                        throw new IllegalStateException("on purpose");
                    })
                    .get();
        } catch (ExecutionException expected) {
            if (!(expected.getCause() instanceof IllegalStateException)) {
                throw new AssertionError(expected);
            }
        }
    }
}
