package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.FactoryFixture.threadPool;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

/** {@code Executors}, method by method: the pools that are {@code ThreadPoolExecutor}s. */
class FactoriesTest {

    @EveryFactorySet
    void factoryMethods_comparedWithExecutors_areAllThere(FactoryFixture pools) {
        Stream<Method> wanted = Arrays.stream(Executors.class.getMethods())
                .filter(method -> method.getName().startsWith("new") && Modifier.isStatic(method.getModifiers()));
        assertThat(wanted).allSatisfy(method -> {
            Method own = pools.factories().holder().getMethod(method.getName(), method.getParameterTypes());
            assertThat(method.getReturnType()).isAssignableFrom(own.getReturnType());
            assertThat(Modifier.isStatic(own.getModifiers())).isTrue();
            assertThat(own.getExceptionTypes()).isEmpty();
        });
    }

    @EveryFactorySet
    void newFixedThreadPool_sizeGiven_hasTheJdksSettings(FactoryFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        for (ThreadPoolExecutor pool : List.of(
                threadPool(pools.make("newFixedThreadPool", 3)),
                threadPool(pools.make("newFixedThreadPool", 3, factory)))) {
            assertThat(pool.getCorePoolSize()).isEqualTo(3);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
            assertThat(pool.getKeepAliveTime(NANOSECONDS)).isZero();
            hasUnboundedQueueAndNoThreads(pool);
        }
    }

    private static void hasUnboundedQueueAndNoThreads(ThreadPoolExecutor pool) {
        assertThat(pool.allowsCoreThreadTimeOut()).isFalse();
        assertThat(pool.getQueue()).isEmpty();
        assertThat(pool.getQueue().remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
        assertThat(pool.getRejectedExecutionHandler()).isExactlyInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
        assertThat(pool.getPoolSize()).isZero();
    }

    @EveryFactorySet
    void newFixedThreadPool_tasksExecuted_growsToItsSizeAndQueuesTheRest(FactoryFixture pools) {
        ThreadPoolExecutor pool = threadPool(pools.make("newFixedThreadPool", 2));
        pools.occupy(pool);
        pools.occupy(pool);
        Runnable task = () -> {};
        pool.execute(task);
        assertThat(pool.getPoolSize()).isEqualTo(2);
        Same.objects("queue", pool.getQueue(), task);
        assertThat(pool.remove(task)).isTrue();
    }

    @EveryFactorySet
    void newCachedThreadPool_tasksExecuted_hasTheJdksSettings(FactoryFixture pools) {
        for (ThreadPoolExecutor pool : List.of(
                threadPool(pools.make("newCachedThreadPool")),
                threadPool(pools.make("newCachedThreadPool", new RecordingFactory())))) {
            assertThat(pool.getCorePoolSize()).isZero();
            assertThat(pool.getMaximumPoolSize()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.getKeepAliveTime(SECONDS)).isEqualTo(60);
            assertThat(pool.getQueue()).isInstanceOf(SynchronousQueue.class);
            assertThat(pool.getPoolSize()).isZero();
            for (int size = 1; size <= 3; size++) {
                pools.occupy(pool);
                assertThat(pool.getPoolSize()).isEqualTo(size);
            }
        }
    }

    @EveryFactorySet
    void newScheduledThreadPool_sizeGiven_hasTheJdksSettings(FactoryFixture pools) throws Exception {
        for (ExecutorService made : List.of(
                pools.make("newScheduledThreadPool", 2),
                pools.make("newScheduledThreadPool", 2, new RecordingFactory()))) {
            assertThat(made).isInstanceOf(ScheduledThreadPoolExecutor.class);
            ScheduledThreadPoolExecutor pool = (ScheduledThreadPoolExecutor) made;
            assertThat(pool.getCorePoolSize()).isEqualTo(2);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(Integer.MAX_VALUE);
            assertThat(pool.getKeepAliveTime(MILLISECONDS)).isEqualTo(10);
            hasUnboundedQueueAndNoThreads(pool);
            assertThat(pools.get(pool.schedule(() -> "value", 1, NANOSECONDS))).isEqualTo("value");
        }
        assertThat(threadPool(pools.make("newScheduledThreadPool", 0)).getCorePoolSize())
                .isZero();
    }

    @EveryFactorySet
    void sizes_outOfRange_areRefused(FactoryFixture pools) {
        for (int size : List.of(0, -1)) {
            refused(() -> pools.make("newFixedThreadPool", size));
            refused(() -> pools.make("newFixedThreadPool", size, new RecordingFactory()));
            refused(() -> pools.make("newWorkStealingPool", size));
        }
        refused(() -> pools.make("newScheduledThreadPool", -1));
        refused(() -> pools.make("newScheduledThreadPool", -1, new RecordingFactory()));
        refused(() -> pools.make("newWorkStealingPool", 100_000));
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run).isExactlyInstanceOf(IllegalArgumentException.class);
    }

    @EveryFactorySet
    void threadFactory_null_isRefused(FactoryFixture pools) {
        for (String method :
                List.of("newCachedThreadPool", "newSingleThreadExecutor", "newSingleThreadScheduledExecutor")) {
            assertThatThrownBy(() -> pools.make(method, (ThreadFactory) null))
                    .isExactlyInstanceOf(NullPointerException.class);
        }
        for (String method : List.of("newFixedThreadPool", "newScheduledThreadPool")) {
            assertThatThrownBy(() -> pools.make(method, 1, null)).isExactlyInstanceOf(NullPointerException.class);
        }
    }

    @EveryFactorySet
    void threadFactory_given_isUsedAndReturned(FactoryFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        List<ExecutorService> all = List.of(
                pools.make("newFixedThreadPool", 1, factory),
                pools.make("newCachedThreadPool", factory),
                pools.make("newScheduledThreadPool", 1, factory),
                pools.make("newSingleThreadExecutor", factory),
                pools.make("newSingleThreadScheduledExecutor", factory));
        for (int i = 0; i < all.size(); i++) {
            HeldTask task = pools.occupy(all.get(i));
            assertThat(task.worker).isSameAs(factory.made.get(i));
            if (all.get(i) instanceof ThreadPoolExecutor pool) {
                assertThat(pool.getThreadFactory()).isSameAs(factory);
            }
        }
        assertThat(factory.made).hasSize(5);
    }

    @EveryFactorySet
    void threadFactory_noneGiven_threadsAreNamedAsTheJdkNamesThem(FactoryFixture pools) {
        for (ExecutorService pool : List.of(
                pools.make("newFixedThreadPool", 2),
                pools.make("newCachedThreadPool"),
                pools.make("newScheduledThreadPool", 2),
                pools.make("newSingleThreadExecutor"),
                pools.make("newSingleThreadScheduledExecutor"))) {
            Thread worker = pools.occupy(pool).worker;
            assertThat(worker.getName()).matches("pool-\\d+-thread-1");
            assertThat(worker.isDaemon()).isFalse();
        }
    }

    @EveryFactorySet
    void everyPool_shutDown_endsAsTheJdksDo(FactoryFixture pools) throws Exception {
        for (ExecutorService pool : List.of(
                pools.make("newFixedThreadPool", 1),
                pools.make("newCachedThreadPool"),
                pools.make("newScheduledThreadPool", 1),
                pools.make("newSingleThreadExecutor"),
                pools.make("newSingleThreadScheduledExecutor"),
                pools.make("newWorkStealingPool", 1))) {
            HeldTask held = pools.occupy(pool);
            pool.shutdown();
            assertThat(pool.isShutdown()).isTrue();
            assertThat(pool.isTerminated()).isFalse();
            assertThat(pool.awaitTermination(1, MILLISECONDS)).isFalse();
            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThat(pool.shutdownNow()).isEmpty();
            pools.await("interrupt", held.interrupted);
            pools.eventually("terminated", pool::isTerminated);
        }
    }

    @EveryFactorySet
    void everyPool_closed_returnsWhenItsTasksHaveRun(FactoryFixture pools) {
        for (ExecutorService pool : List.of(
                pools.make("newFixedThreadPool", 1),
                pools.make("newCachedThreadPool"),
                pools.make("newScheduledThreadPool", 1),
                pools.make("newSingleThreadExecutor"),
                pools.make("newSingleThreadScheduledExecutor"),
                pools.make("newWorkStealingPool", 1))) {
            assumeTrue(pool instanceof AutoCloseable, "executors are closeable from Java 19 on");
            HeldTask held = pools.occupy(pool);
            CountDownLatch closed = new CountDownLatch(1);
            pools.thread(() -> {
                ((AutoCloseable) pool).close();
                closed.countDown();
            });
            pools.eventually("shut down", pool::isShutdown);
            assertThat(closed.getCount()).isEqualTo(1);
            held.release();
            pools.await("return of close", closed);
            assertThat(pool.isTerminated()).isTrue();
        }
    }

    @EveryFactorySet
    void everyPool_droppedUnused_isCollected(FactoryFixture pools) {
        for (String method : List.of("newCachedThreadPool", "newSingleThreadExecutor", "newWorkStealingPool")) {
            pools.collected(method, new WeakReference<>(pools.make(method)));
        }
        for (String method : List.of("newFixedThreadPool", "newScheduledThreadPool")) {
            pools.collected(method, new WeakReference<>(pools.make(method, 1)));
        }
    }

    @EveryFactorySet
    void newCachedThreadPool_workersIdle_areReused(FactoryFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ExecutorService pool = pools.make("newCachedThreadPool", factory);
        List<Thread> ran = new CopyOnWriteArrayList<>();
        for (int tasks = 1; tasks <= 3; tasks++) {
            pool.execute(() -> ran.add(Thread.currentThread()));
            int expected = tasks;
            pools.eventually(
                    "worker waiting for a task",
                    () -> ran.size() == expected
                            && threadPool(pool).getActiveCount() == 0
                            && Fixture.isWaiting(factory.made.get(0)));
        }
        assertThat(factory.made).hasSize(1);
        assertThat(threadPool(pool).getKeepAliveTime(HOURS)).isZero();
    }
}
