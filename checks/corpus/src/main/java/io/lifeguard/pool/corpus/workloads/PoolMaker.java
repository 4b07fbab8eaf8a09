package io.lifeguard.pool.corpus.workloads;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Makes the pools of a workload: instrumented pools, or those of the JDK. Stateless. The threads of a pool are called
 * like the pool, with a number at the end.
 */
public interface PoolMaker {

    /** Makes instrumented pools. */
    PoolMaker INSTRUMENTED = new InstrumentedPools();

    /** Makes pools of the JDK, as a program has them that does not use this library. */
    PoolMaker PLAIN = new PlainPools();

    /**
     * Makes a pool of one size with a bounded queue.
     *
     * @param capacity places in the queue, at least 1
     * @param whenSaturated gets the tasks that do not fit
     */
    ThreadPoolExecutor bounded(String name, int size, int capacity, RejectedExecutionHandler whenSaturated);

    /** Makes a pool of one size with an unbounded queue. */
    ThreadPoolExecutor unbounded(String name, int size);

    /** Makes a pool that grows when its queue is full. Submitters wait for room when it has grown. */
    ThreadPoolExecutor elastic(int core, int maximum, BlockingQueue<Runnable> queue);

    /** Makes a pool for periodic tasks. */
    ScheduledExecutorService scheduled(String name, int size);

    /** {@return what makes submitters wait for room} */
    RejectedExecutionHandler waiting();
}
