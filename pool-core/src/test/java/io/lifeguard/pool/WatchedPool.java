package io.lifeguard.pool;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes pools that let a test stop a thread where it reads the pool's state or size. Between these points, a shutdown
 * or the end of the last worker can overtake a waiting submitter.
 */
final class WatchedPool {

    /** Is called by the thread that reads, before the pool answers. */
    interface Watcher {
        void asked(String method);
    }

    private WatchedPool() {}

    static ThreadPoolExecutor make(PoolType type, int core, long keepAliveMillis, Watcher watcher) {
        BlockingQueue<Runnable> queue = type.queue(1);
        return type.isInstrumented()
                ? new Instrumented(core, keepAliveMillis, queue, watcher)
                : new Stock(core, keepAliveMillis, queue, watcher);
    }

    private static RejectedExecutionHandler policy() {
        return BlockingWaitPolicy.forever();
    }

    private static final class Instrumented extends InstrumentedThreadPoolExecutor {
        private final Watcher watcher;

        Instrumented(int core, long keepAliveMillis, BlockingQueue<Runnable> queue, Watcher watcher) {
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
