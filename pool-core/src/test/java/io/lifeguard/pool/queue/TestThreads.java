package io.lifeguard.pool.queue;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Starts a test's threads; on closing joins them, and fails when one of them failed unseen or does not end. */
final class TestThreads implements AutoCloseable {
    /** Longer than anything here takes on a loaded machine; only a failing test waits so long. */
    static final Duration LONG = Duration.ofSeconds(Long.getLong("lifeguard.test.long.seconds", 30));

    private final List<Started<?>> started = new ArrayList<>();

    /** A thread and what became of it. */
    static final class Started<T> {
        final Thread thread;
        private final FutureTask<T> result;
        private boolean seen;

        private Started(Callable<T> body) {
            result = new FutureTask<>(body);
            thread = new Thread(result);
            thread.setDaemon(true);
        }

        /** The result, once there is one. */
        T join() throws Exception {
            seen = true;
            try {
                return result.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            } catch (TimeoutException e) {
                AssertionError error = new AssertionError(thread + " does not end; it is at");
                error.setStackTrace(thread.getStackTrace());
                throw error;
            }
        }

        /** Waits until the thread is parked in this queue. */
        Started<T> awaitParked(WorkQueue queue) {
            await().atMost(LONG)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> LockSupport.getBlocker(thread) == queue && !result.isDone());
            return this;
        }
    }

    <T> Started<T> start(Callable<T> body) {
        Started<T> thread = new Started<>(body);
        started.add(thread);
        thread.thread.start();
        return thread;
    }

    @Override
    public void close() throws Exception {
        for (Started<?> thread : started) {
            if (!thread.seen) {
                thread.join();
            }
        }
    }
}
