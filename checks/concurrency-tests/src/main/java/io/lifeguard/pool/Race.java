package io.lifeguard.pool;

import io.lifeguard.pool.queue.WorkQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The common state of the tests: a small pool that makes submitters wait, and tasks that record whether they ran. Only
 * actors start threads, because many states are created and never used. No race has more than two actors, because a
 * machine of two processors silently skips larger races. The worker is the third party.
 */
final class Race {

    /** Longer than anything takes on the busiest machine. What has not happened by then never will. */
    private static final long FOREVER_SECONDS = 20;

    private Race() {}

    static InstrumentedThreadPoolExecutor pool(int core, long keepAliveMicros) {
        return new InstrumentedThreadPoolExecutor(
                core,
                1,
                keepAliveMicros,
                TimeUnit.MICROSECONDS,
                WorkQueue.bounded(1),
                Race::daemon,
                BlockingWaitPolicy.forever());
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(null, body, "worker", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** The outcome of the submission. */
    static String execute(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(task);
            return "accepted";
        } catch (RejectedExecutionException refusal) {
            return "refused";
        }
    }

    /** Waits for the end of a pool that has been shut down. */
    static void awaitEnd(ThreadPoolExecutor pool) {
        try {
            if (!pool.awaitTermination(FOREVER_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("does not terminate: " + pool);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // no test interrupts this
        }
    }

    /** How many tasks the pool says were submitted and not completed. */
    static String open(InstrumentedThreadPoolExecutor pool) {
        PoolSnapshot snapshot = pool.snapshot();
        return snapshot.submitted() - snapshot.completed() + " open";
    }

    /** Does both, in random order. */
    static void inAnyOrder(Runnable one, Runnable other) {
        boolean swapped = ThreadLocalRandom.current().nextBoolean();
        (swapped ? other : one).run();
        (swapped ? one : other).run();
    }

    /** Waits for the condition. False if it never becomes true. */
    @SuppressWarnings("ThreadPriorityCheck") // lets other threads run
    static boolean comesTrue(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(FOREVER_SECONDS)) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /** A task that can be held back. */
    static final class Task implements Runnable {
        private final CountDownLatch gate;
        private volatile boolean ran;

        Task(boolean held) {
            gate = new CountDownLatch(held ? 1 : 0);
        }

        @Override
        public void run() {
            try {
                gate.await();
            } catch (InterruptedException endedByShutdownNow) {
                Thread.currentThread().interrupt();
            }
            ran = true;
        }

        void letGo() {
            gate.countDown();
        }

        boolean hasRun() {
            return ran;
        }

        String fate() {
            return ran ? "ran" : "did not run";
        }
    }
}
