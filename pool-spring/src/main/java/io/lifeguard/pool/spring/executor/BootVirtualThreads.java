package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedVirtualThreadExecutor;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.properties.LifeguardProperties.VirtualThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes and ends the executors behind Boot's executors of virtual threads. Stateless. Needs Java 21. */
final class BootVirtualThreads {

    private BootVirtualThreads() {}

    /**
     * {@return an executor with a thread per task, or with at most as many threads as the properties say}
     *
     * <p>Threads of an executor with a limit run tasks of several submitters. So they do not come from Spring's
     * factory, whose threads inherit the thread-locals of the submitter, but from Lifeguard's.
     *
     * @param springs makes threads for one task
     * @param names the names of threads for several tasks
     */
    static ExecutorService executor(
            String name, VirtualThreads properties, ThreadFactory springs, Supplier<String> names) {
        Neighbours.put(name, new Neighbours.Setting("lifeguard.virtual-threads.limit", ""));
        Integer limit = properties.limit();
        if (limit == null) {
            return InstrumentedExecutors.newThreadPerTaskExecutor(name, springs);
        }
        InstrumentedVirtualThreadExecutor.Builder builder =
                InstrumentedVirtualThreadExecutor.named(name).limit(limit);
        InstrumentedVirtualThreadExecutor executor = (properties.queueCapacity() == Integer.MAX_VALUE
                        ? builder.unboundedQueue()
                        : builder.queueCapacity(properties.queueCapacity()))
                .build();
        ThreadFactory threads = executor.asThreadPool().getThreadFactory();
        executor.asThreadPool().setThreadFactory(task -> {
            Thread thread = threads.newThread(task);
            thread.setName(names.get());
            return thread;
        });
        return executor;
    }

    /**
     * Lets the tasks that were accepted end, and waits for them if Boot's properties say so.
     *
     * @param springs closes what Spring knows of, and may wait as long; what is left is for the executor
     */
    static void close(Runnable springs, ExecutorService executor, long timeoutMillis) {
        long began = System.nanoTime();
        springs.run();
        executor.shutdown();
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        try {
            if (timeoutMillis > 0
                    && !executor.awaitTermination(Math.max(1, timeoutMillis - waited), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
