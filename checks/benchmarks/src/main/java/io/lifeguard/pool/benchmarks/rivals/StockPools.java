package io.lifeguard.pool.benchmarks.rivals;

import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's own pool, which measures nothing. One is the baseline, which the wrapping rivals wrap. */
final class StockPools {
    private StockPools() {}

    static ThreadPoolExecutor linked(int workers, int queueCapacity) {
        return pool(workers, new LinkedBlockingQueue<>(queueCapacity));
    }

    static ThreadPoolExecutor array(int workers, int queueCapacity) {
        return pool(workers, new ArrayBlockingQueue<>(queueCapacity));
    }

    static ThreadPoolExecutor transfer(int workers) {
        return pool(workers, new LinkedTransferQueue<>());
    }

    static ThreadPoolExecutor jcTools(int workers, int queueCapacity) {
        return pool(workers, new JcToolsQueue(queueCapacity));
    }

    /**
     * A pool with Lifeguard's queue. That queue admits waiting producers when it is half empty, as in Lifeguard's pool
     * while tasks are short.
     */
    static ThreadPoolExecutor work(int workers, int queueCapacity) {
        if (queueCapacity == Rival.UNBOUNDED) {
            return pool(workers, WorkQueue.unbounded());
        }
        WorkQueue queue = WorkQueue.bounded(queueCapacity);
        queue.refillBatch(queueCapacity / 2);
        return pool(workers, queue);
    }

    private static ThreadPoolExecutor pool(int workers, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(workers, workers, 0, TimeUnit.MILLISECONDS, queue, new PutWhenFull());
    }
}
