package io.lifeguard.pool;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool that lets a test stop a thread where it asks the pool for its state or size: the points between which a waiting submitter
 * can be overtaken by a shutdown or by the end of the last worker.
 */
final class WatchedPool {

    /** Is called by whoever asks, before the pool answers. */
    interface Watcher {
        void asked(String method);
    }

    private WatchedPool() {}

    static ThreadPoolExecutor make(PoolType type, int core, long keepAliveMillis, Watcher watcher) {
        BlockingQueue<Runnable> queue = type.queue(1);
        return type.isInstrumented()
                ? new Ours(core, keepAliveMillis, queue, watcher)
                : new Stock(core, keepAliveMillis, queue, watcher);
    }

    private static RejectedExecutionHandler policy() {
        return BlockingWaitPolicy.forever();
    }

    private static final class Ours extends InstrumentedThreadPoolExecutor {
        private final Watcher watcher;

        Ours(int core, long keepAliveMillis, BlockingQueue<Runnable> queue, Watcher watcher) {
            super(core, 1, keepAliveMillis, TimeUnit.MILLISECONDS, queue, policy());
            this.watcher = watcher;
        }

        @Override
        public boolean isShutdown() {
            watcher.asked("isShutdown");
            return super.isShutdown();
        }

        @Override
        public int getPoolSize() {
            watcher.asked("getPoolSize");
            return super.getPoolSize();
        }
    }

    private static final class Stock extends ThreadPoolExecutor {
        private final Watcher watcher;

        Stock(int core, long keepAliveMillis, BlockingQueue<Runnable> queue, Watcher watcher) {
            super(core, 1, keepAliveMillis, TimeUnit.MILLISECONDS, queue, policy());
            this.watcher = watcher;
        }

        @Override
        public boolean isShutdown() {
            watcher.asked("isShutdown");
            return super.isShutdown();
        }

        @Override
        public int getPoolSize() {
            watcher.asked("getPoolSize");
            return super.getPoolSize();
        }
    }
}
