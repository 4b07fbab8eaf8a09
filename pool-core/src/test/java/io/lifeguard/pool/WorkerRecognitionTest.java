package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
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
}
