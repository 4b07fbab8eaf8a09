package io.lifeguard.pool.benchmarks.rivals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.threads.EnhancedQueueExecutor;

/**
 * Submits to an {@link EnhancedQueueExecutor}. When its queue is full, sleeps a little and tries again. Thread-safe.
 *
 * <p>That executor has no blocking submit, and no queue at which a submitter could wait. Tasks that do not fit go to
 * its hand-off executor. A semaphore would cost two contended atomic operations and a wrapper per task. A short sleep
 * costs nothing while there is room. When there is none, the queue drains for 50 µs, which leaves it far from empty.
 */
final class PollWhenFull extends AbstractExecutorService {
    static final String DESCRIPTION = "its hand-off refuses; the submitter sleeps 50 µs and tries again";

    private static final long PAUSE_NANOS = 50_000;

    private final ExecutorService pool;

    private PollWhenFull(ExecutorService pool) {
        this.pool = pool;
    }

    static ExecutorService start(int workers, int queueCapacity) {
        EnhancedQueueExecutor.Builder builder = new EnhancedQueueExecutor.Builder()
                .setCorePoolSize(workers)
                .setMaximumPoolSize(workers)
                .setKeepAliveTime(Duration.ofHours(1))
                .setRegisterMBean(false);
        if (queueCapacity == Rival.UNBOUNDED) {
            return builder.setQueueLimited(false).build();
        }
        return new PollWhenFull(builder.setMaximumQueueSize(queueCapacity)
                .setHandoffExecutor(task -> {
                    throw new StacklessRejection();
                })
                .build());
    }

    @Override
    public void execute(Runnable task) {
        while (true) {
            try {
                pool.execute(task);
                return;
            } catch (StacklessRejection full) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return pool.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return pool.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return pool.awaitTermination(timeout, unit);
    }

    /** Thrown by the hand-off executor, without a stack trace, because a trace per attempt would be unfair. */
    private static final class StacklessRejection extends RejectedExecutionException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
