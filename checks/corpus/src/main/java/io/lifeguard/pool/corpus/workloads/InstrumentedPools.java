package io.lifeguard.pool.corpus.workloads;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes instrumented pools. Stateless. */
final class InstrumentedPools implements PoolMaker {

    @Override
    public ThreadPoolExecutor bounded(String name, int size, int capacity, RejectedExecutionHandler whenSaturated) {
        return InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(capacity)
                .whenSaturated(whenSaturated)
                .build();
    }

    @Override
    public ThreadPoolExecutor unbounded(String name, int size) {
        return InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .unboundedQueue()
                .build();
    }

    @Override
    public ThreadPoolExecutor elastic(int core, int maximum, BlockingQueue<Runnable> queue) {
        return new InstrumentedThreadPoolExecutor(core, maximum, 30, TimeUnit.SECONDS, queue, waiting());
    }

    @Override
    public ScheduledExecutorService scheduled(String name, int size) {
        return InstrumentedExecutors.newScheduledThreadPool(name, size);
    }

    @Override
    public RejectedExecutionHandler waiting() {
        return BlockingWaitPolicy.forever();
    }
}
