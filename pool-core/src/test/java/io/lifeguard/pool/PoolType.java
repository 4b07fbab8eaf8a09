package io.lifeguard.pool;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.os.VirtualThreads;
import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The executors and queues that a saturation policy has to serve. A hand-off has no queue, whatever capacity is asked
 * for.
 */
enum PoolType {
    INSTRUMENTED(true, false),
    INSTRUMENTED_ON_LINKED_QUEUE(true, false),
    INSTRUMENTED_ON_ARRAY_QUEUE(true, false),
    INSTRUMENTED_WITH_HAND_OFF(true, true),
    INSTRUMENTED_ON_VIRTUAL_THREADS(true, false),
    STOCK_ON_LINKED_QUEUE(false, false),
    STOCK_ON_ARRAY_QUEUE(false, false),
    STOCK_WITH_HAND_OFF(false, true);

    private final boolean instrumented;
    private final boolean handOff;

    PoolType(boolean instrumented, boolean handOff) {
        this.instrumented = instrumented;
        this.handOff = handOff;
    }

    boolean isInstrumented() {
        return instrumented;
    }

    boolean isHandOff() {
        return handOff;
    }

    ThreadPoolExecutor make(int size, int capacity, RejectedExecutionHandler handler) {
        return make(size, size, 0, capacity, handler);
    }

    ThreadPoolExecutor make(
            int core, int maximum, long keepAliveMillis, int capacity, RejectedExecutionHandler handler) {
        BlockingQueue<Runnable> queue = queue(capacity);
        if (this == INSTRUMENTED_ON_VIRTUAL_THREADS) {
            assumeTrue(Runtime.version().feature() >= 21, "virtual threads need Java 21");
            ThreadFactory threads = VirtualThreads.factory("virtual");
            return new InstrumentedThreadPoolExecutor(
                    core, maximum, keepAliveMillis, TimeUnit.MILLISECONDS, queue, threads, handler);
        }
        return instrumented
                ? new InstrumentedThreadPoolExecutor(
                        core, maximum, keepAliveMillis, TimeUnit.MILLISECONDS, queue, handler)
                : new ThreadPoolExecutor(core, maximum, keepAliveMillis, TimeUnit.MILLISECONDS, queue, handler);
    }

    BlockingQueue<Runnable> queue(int capacity) {
        return switch (this) {
            case INSTRUMENTED, INSTRUMENTED_ON_VIRTUAL_THREADS -> WorkQueue.bounded(capacity);
            case INSTRUMENTED_ON_LINKED_QUEUE, STOCK_ON_LINKED_QUEUE -> new LinkedBlockingQueue<>(capacity);
            case INSTRUMENTED_ON_ARRAY_QUEUE, STOCK_ON_ARRAY_QUEUE -> new ArrayBlockingQueue<>(capacity);
            case INSTRUMENTED_WITH_HAND_OFF, STOCK_WITH_HAND_OFF -> new SynchronousQueue<>();
        };
    }
}
