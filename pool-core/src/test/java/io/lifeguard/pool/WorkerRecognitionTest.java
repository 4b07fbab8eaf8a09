package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.WorkQueue;
import io.lifeguard.pool.testing.Gate;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The JDK's executor calls getThreadFactory in a way that lets the pool wrap each worker. */
class WorkerRecognitionTest {

    @Test
    void getThreadFactory_calledByTheExecutorItself_makesThreadsRecognisedAsWorkers()
            throws InterruptedException, ExecutionException {
        var pool = InstrumentedThreadPoolExecutor.named("known").size(1).build();
        try {
            assertThat(pool.submit(() -> pool.instruments.isOwnWorker()).get()).isTrue();
            assertThat(pool.instruments.isOwnWorker()).isFalse();
        } finally {
            pool.shutdownNow();
            assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void getThreadFactory_calledByOthers_isTheFactoryThatWasSet() {
        ThreadFactory factory = Thread::new;
        var pool = new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        try {
            assertThat(pool.getThreadFactory()).isSameAs(factory);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void getThreadFactory_calledByThatFactoryWhileItMakesAWorker_isTheFactoryThatWasSet() throws InterruptedException {
        AtomicReference<ThreadFactory> seen = new AtomicReference<>();
        AtomicReference<ThreadPoolExecutor> asked = new AtomicReference<>();
        ThreadFactory factory = body -> {
            seen.set(asked.get().getThreadFactory());
            return new Thread(body);
        };
        var pool = new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, WorkQueue.bounded(1), factory);
        asked.set(pool);

        pool.execute(() -> {});
        end(pool);

        assertThat(seen.get()).isSameAs(factory);
        assertThat(pool.snapshot().completed()).isOne();
    }

    /** The only worker is started and has not run yet, so the submission of the third task is followed. */
    @Test
    void getThreadFactory_calledByATaskThatItsSubmitterRuns_isTheFactoryThatWasSet() throws InterruptedException {
        Gate mayRun = new Gate();
        ThreadFactory factory = body -> new Thread(() -> {
            mayRun.passUninterruptibly();
            body.run();
        });
        var pool = new InstrumentedThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, WorkQueue.bounded(1), factory, new ThreadPoolExecutor.CallerRunsPolicy());
        AtomicReference<ThreadFactory> seen = new AtomicReference<>();

        pool.execute(() -> {});
        pool.execute(() -> {});
        pool.execute(() -> seen.set(pool.getThreadFactory()));
        mayRun.open();
        end(pool);

        assertThat(seen.get()).isSameAs(factory);
        assertThat(pool.snapshot().callerRuns()).isOne();
    }

    private static void end(ThreadPoolExecutor pool) throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
}
