package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pool is called what its threads' names have in common. */
class FoundExecutorTest {

    @ParameterizedTest
    @CsvSource({
        "pool-3-thread-1, pool-3",
        "http-nio-8080-exec-12, http-nio-8080-exec",
        "qtp1234-55, qtp",
        "executor-thread-7, executor",
        "DefaultDispatcher-worker-4, DefaultDispatcher-worker",
        "worker(7), worker",
        "concurrent/orders-managedThreadFactory-Thread-9, concurrent/orders",
        "EE-ManagedExecutorService-default-Thread-2, EE-ManagedExecutorService-default",
        "orders, orders",
        "-thread-1, -thread",
        "7, pool of thread 7",
    })
    void nameOf_threadName_hasNoNumberAtItsEnd(String thread, String pool) {
        assertThat(FoundExecutor.nameOf(thread)).isEqualTo(pool);
    }

    /** Otherwise shards would have one name, and look like one pool that is made again and again. */
    @ParameterizedTest
    @CsvSource({
        "1, shard-7, shard-7",
        "2, shard-7, shard",
        "1, pool-3-thread-1, pool-3",
        "1, concurrent/orders-managedThreadFactory-Thread-9, concurrent/orders",
    })
    void of_executorOfOneThread_keepsItsNumber(int threads, String thread, String pool) {
        assertThat(FoundExecutor.of(Executors.newFixedThreadPool(threads), thread)
                        .name())
                .isEqualTo(pool);
        assertThat(FoundExecutor.of(Executors.newScheduledThreadPool(threads), thread)
                        .name())
                .isEqualTo(pool);
    }
}
