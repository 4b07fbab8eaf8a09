package io.lifeguard.pool.corpus.workloads;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes pools of the JDK. Stateless. */
final class PlainPools implements PoolMaker {

    @Override
    public ThreadPoolExecutor bounded(String name, int size, int capacity, RejectedExecutionHandler whenSaturated) {
        return new ThreadPoolExecutor(
                size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), threads(name), whenSaturated);
    }

    @Override
    public ThreadPoolExecutor unbounded(String name, int size) {
        return new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name));
    }

    @Override
    public ThreadPoolExecutor elastic(int core, int maximum, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(core, maximum, 30, TimeUnit.SECONDS, queue, threads("elastic"), waiting());
    }

    @Override
    public ScheduledExecutorService scheduled(String name, int size) {
        return Executors.newScheduledThreadPool(size, threads(name));
    }

    @Override
    public RejectedExecutionHandler waiting() {
        return PlainPools::put;
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> new Thread(task, name + "-" + number.incrementAndGet());
    }

    /** What many programs have that wait for room. */
    static void put(Runnable task, ThreadPoolExecutor full) {
        try {
            full.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(e);
        }
    }
}
