package io.lifeguard.pool.benchmarks.rivals;

import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's own pool, which measures nothing. One is the baseline, and inside the wrapping rivals. */
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

    static ThreadPoolExecutor work(int workers, int queueCapacity) {
        return pool(
                workers, queueCapacity == Rival.UNBOUNDED ? WorkQueue.unbounded() : WorkQueue.bounded(queueCapacity));
    }

    private static ThreadPoolExecutor pool(int workers, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(workers, workers, 0, TimeUnit.MILLISECONDS, queue, new PutWhenFull());
    }
}
