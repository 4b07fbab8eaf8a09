package io.lifeguard.pool.diagnosis.evidence.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.os.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A dump of all threads is taken only while it is sure to be cheap. */
class DumpLimitTest {

    private final DumpLimit limit = new DumpLimit(threads());
    private int platform;

    /** The JVM's own bean, but for the number of platform threads. */
    private ThreadMXBean threads() {
        return (ThreadMXBean) Proxy.newProxyInstance(
                ThreadMXBean.class.getClassLoader(),
                new Class<?>[] {ThreadMXBean.class},
                (proxy, method, arguments) -> method.getName().equals("getThreadCount")
                        ? platform
                        : method.invoke(ManagementFactory.getThreadMXBean(), arguments));
    }

    @Test
    void allows_manyThreads_isFalseUntilDumpsWereCheap() {
        assertThat(limit.allows(500, 0)).isTrue();
        assertThat(limit.allows(100, 401)).isFalse();
        limit.learn(400, 400, 0, TimeUnit.MILLISECONDS.toNanos(4));
        assertThat(limit.allows(5_000, 0)).as("0.01 ms each").isTrue();
        assertThat(limit.allows(5_001, 0)).isFalse();
    }

    @Test
    void allows_othersSinceTheLastDump_count() {
        limit.learn(150, 50, 10_000, 1);
        assertThat(limit.allows(50, 10_350))
                .as("100 others, and 350 made since")
                .isTrue();
        assertThat(limit.allows(50, 10_351)).isFalse();
    }

    /** The dump shows them, too: 3,000 may take 300 ms. */
    @Test
    void allows_platformThreads_countOnce() {
        platform = 3_000;
        assertThat(limit.allows(0, 0)).isFalse();
        platform = 400;
        assertThat(limit.allows(100, 0)).isTrue();
        assertThat(limit.allows(101, 0)).isFalse();
        limit.learn(450, 50, 0, 0);
        assertThat(limit.allows(100, 0)).as("none of them is a stranger").isTrue();
        assertThat(limit.allows(101, 0)).isFalse();
    }

    /** A small dump is mostly the loading of classes. */
    @Test
    void learn_smallDump_tellsNoCostPerThread() {
        limit.learn(20, 0, 0, TimeUnit.SECONDS.toNanos(1));
        assertThat(limit.allows(480, 0)).isTrue();
    }

    @Test
    void othersMade_virtualThreadsOfNobody_areCounted() {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
        long before = limit.othersMade(List.of());
        for (int i = 0; i < 1_000; i++) {
            VirtualThreads.unnamed().newThread(() -> {}).start();
        }
        assertThat(limit.othersMade(List.of()) - before).isGreaterThanOrEqualTo(900);
    }

    /** Each task starts the next one while it lives, so that a thread can be seen. At the end there is none. */
    @Test
    void othersMade_tasksOfAnExecutorThatHasEnded_areNotCounted() throws Exception {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("ended");
        List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        long before = limit.othersMade(pools);
        CountDownLatch isSeen = new CountDownLatch(1);
        executor.submit(() -> isSeen.await(1, TimeUnit.MINUTES));
        limit.see(pools);
        isSeen.countDown();
        for (int i = 0; i < 1_000; i++) {
            executor.execute(() -> {});
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(limit.othersMade(pools) - before).isLessThan(100);
        assertThat(limit.othersMade(List.of()) - before).isLessThan(100);
    }

    /** Those of the time before the dump were taken for others, and were no others then either. */
    @Test
    void allows_executorIsRecognisedAfterADump_othersSinceStillCount() throws Exception {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("late");
        List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        for (int i = 0; i < 1_000; i++) {
            executor.submit(() -> {}).get(1, TimeUnit.MINUTES);
        }
        await().until(() -> ((InstrumentedPool) executor).threadCount() == 0);
        limit.learn(0, 0, limit.othersMade(pools), 0);
        CountDownLatch isSeen = new CountDownLatch(1);
        executor.submit(() -> isSeen.await(1, TimeUnit.MINUTES));
        long quiet = limit.othersMade(pools);
        assertThat(limit.allows(400, quiet)).isTrue();
        for (int i = 0; i < 1_000; i++) {
            VirtualThreads.unnamed().newThread(() -> {}).start();
        }
        assertThat(limit.allows(0, limit.othersMade(pools))).isFalse();
        isSeen.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void othersMade_platformThreadsPerTask_areSubtractedOnce() throws Exception {
        assumeTrue(VirtualThreads.exist(), "a thread per task needs Java 21");
        ExecutorService executor = InstrumentedExecutors.newThreadPerTaskExecutor("platform", Thread::new);
        List<InstrumentedPool> pools = List.of((InstrumentedPool) executor);
        for (int i = 0; i < 1_000; i++) {
            VirtualThreads.unnamed().newThread(() -> {}).start(); // so that the number can fall
        }
        long before = limit.othersMade(pools);
        CountDownLatch isCounted = new CountDownLatch(1);
        for (int i = 0; i < 200; i++) {
            executor.submit(() -> isCounted.await(1, TimeUnit.MINUTES));
        }
        long after = limit.othersMade(pools);
        isCounted.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(after - before).isGreaterThan(-100);
    }
}
