package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** {@code Executors}, method by method: the executors that are no {@code ThreadPoolExecutor}s. */
class OtherFactoriesTest {

    @EveryFactorySet
    void newSingleThreadExecutor_cast_cannotBeReconfigured(FactoryFixture pools) {
        for (ExecutorService pool : List.of(
                pools.make("newSingleThreadExecutor"),
                pools.make("newSingleThreadExecutor", new RecordingFactory()),
                pools.singleScheduled(),
                pools.make("newSingleThreadScheduledExecutor", new RecordingFactory()))) {
            assertThat(pool).isNotInstanceOf(ThreadPoolExecutor.class);
        }
    }

    @EveryFactorySet
    void newSingleThreadExecutor_tasksExecuted_runOneByOneInOrder(FactoryFixture pools) {
        ExecutorService pool = pools.make("newSingleThreadExecutor");
        List<Integer> ran = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        IntStream.range(0, 100)
                .forEach(i -> pool.execute(() -> {
                    ran.add(i);
                    threads.add(Thread.currentThread());
                }));
        pools.eventually("all tasks", () -> threads.size() == 100);
        assertThat(ran).isSorted();
        assertThat(threads).containsOnly(threads.get(0));
    }

    @EveryFactorySet
    void newSingleThreadExecutor_taskThrows_threadIsReplaced(FactoryFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ExecutorService pool = pools.make("newSingleThreadExecutor", factory);
        IllegalStateException problem = new IllegalStateException();
        pool.execute(() -> Sneaky.raise(problem));
        pools.eventually("uncaught exception", () -> factory.uncaught.size() == 1);
        assertThat(factory.uncaught.get(0)).isSameAs(problem);
        assertThat(pools.occupy(pool).worker).isSameAs(factory.made.get(1));
    }

    @EveryFactorySet
    void newSingleThreadExecutor_shutdownNow_returnsTheSubmittedTasks(FactoryFixture pools) {
        ExecutorService pool = pools.make("newSingleThreadExecutor");
        pools.occupy(pool);
        Runnable task = () -> {};
        pool.execute(task);
        Object future = pool.submit(task);
        Same.objects("returned", pool.shutdownNow(), task, future);
    }

    @EveryFactorySet
    void newSingleThreadExecutor_droppedWithoutShutdown_itsThreadEnds(FactoryFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        useAndDrop(pools, factory);
        pools.eventually("end of the thread of a dropped executor", () -> {
            System.gc();
            return !factory.made.get(0).isAlive();
        });
    }

    private static void useAndDrop(FactoryFixture pools, RecordingFactory factory) {
        // Not made by the fixture, which would close it: this executor has to end by itself.
        ExecutorService pool = pools.factories().make("newSingleThreadExecutor", factory);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        pools.await("task", ran);
    }

    @EveryFactorySet
    void newSingleThreadScheduledExecutor_tasksScheduled_runOneByOne(FactoryFixture pools) throws Exception {
        ScheduledExecutorService pool = pools.singleScheduled();
        assertThat(pools.get(pool.schedule(() -> "value", 1, NANOSECONDS))).isEqualTo("value");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch runs = new CountDownLatch(40);
        for (int i = 0; i < 20; i++) {
            Runnable task = () -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.yield();
                inside.decrementAndGet();
                runs.countDown();
            };
            pool.execute(task);
            pool.schedule(task, 10, NANOSECONDS);
        }
        pools.await("all tasks", runs);
        assertThat(most).hasValue(1);
        CountDownLatch repeated = new CountDownLatch(3);
        pool.scheduleWithFixedDelay(repeated::countDown, 0, 1, NANOSECONDS).isDone();
        pools.await("three repetitions", repeated);
    }

    @EveryFactorySet
    void newWorkStealingPool_tasksExecuted_runOnDaemonsInOrderOfSubmission(FactoryFixture pools) throws Exception {
        ExecutorService pool = pools.make("newWorkStealingPool", 1);
        assertThat(pool).isInstanceOf(ForkJoinPool.class);
        assertThat(pools.get(pool.submit(() -> Thread.currentThread().getName())))
                .matches("ForkJoinPool-\\d+-worker-\\d+");
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(4);
        pool.execute(() -> {
            for (String name : List.of("first", "second", "third")) {
                pool.execute(() -> {
                    ran.add(name);
                    done.countDown();
                });
            }
            ran.add(Thread.currentThread().isDaemon() ? "daemon" : "no daemon");
            done.countDown();
        });
        pools.await("all tasks", done);
        assertThat(ran).containsExactly("daemon", "first", "second", "third");
        assertThat(pools.get(pools.make("newWorkStealingPool").submit(() -> "value")))
                .isEqualTo("value");
        assertThat(pool.invokeAll(List.<Callable<String>>of(() -> "all")).get(0).get())
                .isEqualTo("all");
    }

    @EveryFactorySet
    void newThreadPerTaskExecutor_tasksExecuted_eachHasItsThread(FactoryFixture pools) throws Exception {
        assumeTrue(FactorySet.STOCK.has("newThreadPerTaskExecutor", ThreadFactory.class), "from Java 21 on");
        RecordingFactory factory = new RecordingFactory();
        ExecutorService pool = pools.make("newThreadPerTaskExecutor", factory);
        HeldTask first = pools.occupy(pool);
        HeldTask second = pools.occupy(pool);
        assertThat(first.worker).isSameAs(factory.made.get(0));
        assertThat(second.worker).isSameAs(factory.made.get(1));
        assertThat(pools.get(pool.submit(() -> "value"))).isEqualTo("value");
        assertThat(factory.made).hasSize(3);
        assertThat(pool.shutdownNow()).isEmpty();
        pools.await("interrupt", first.interrupted);
        assertThatThrownBy(() -> pools.make("newThreadPerTaskExecutor", (ThreadFactory) null))
                .isExactlyInstanceOf(NullPointerException.class);
    }

    @EveryFactorySet
    void newVirtualThreadPerTaskExecutor_tasksExecuted_eachHasAVirtualThread(FactoryFixture pools) throws Exception {
        assumeTrue(FactorySet.STOCK.has("newVirtualThreadPerTaskExecutor"), "from Java 21 on");
        ExecutorService pool = pools.make("newVirtualThreadPerTaskExecutor");
        HeldTask first = pools.occupy(pool);
        HeldTask second = pools.occupy(pool);
        assertThat(first.worker).isNotSameAs(second.worker);
        assertThat(Thread.class.getMethod("isVirtual").invoke(first.worker)).isEqualTo(true);
        assertThat(first.worker.getName()).isEmpty();
        pool.shutdownNow();
        pools.await("interrupt", second.interrupted);
        pools.eventually("terminated", pool::isTerminated);
    }
}
