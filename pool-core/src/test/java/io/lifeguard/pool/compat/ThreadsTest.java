package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;

/** Threads have the names and the factory that the JDK would use, and a factory that fails does no harm. */
class ThreadsTest {

    @EveryPool
    void defaultFactory_threeWorkers_areNamedAsTheJdkNamesThem(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.fixed(3);
        Set<String> numbers = new TreeSet<>();
        for (int i = 1; i <= 3; i++) {
            Thread worker = pools.occupy(pool).worker;
            assertThat(worker.getName()).matches("pool-\\d+-thread-" + i);
            assertThat(worker.isDaemon()).isFalse();
            assertThat(worker.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
            numbers.add(worker.getName().replaceAll("-thread.*", ""));
        }
        assertThat(numbers).hasSize(1);
    }

    @EveryPool
    void defaultFactory_workerRanManyTasks_isStillNamedTheSame(PoolFixture pools) throws Exception {
        ThreadPoolExecutor pool = pools.fixed(1);
        String first = pools.get(pool.submit(() -> Thread.currentThread().getName()));
        for (int i = 0; i < 10; i++) {
            assertThat(pools.get(pool.submit(() -> Thread.currentThread().getName())))
                    .isEqualTo(first);
        }
    }

    @EveryPool
    void constructor_defaultFactory_usesUpOnePoolNumber(PoolFixture pools) {
        for (PoolSpec spec : pools.everyConstructor(1, 1)) {
            int before = nextPoolNumber();
            pools.occupy(pools.make(spec));
            assertThat(nextPoolNumber() - before).isEqualTo(spec.factoryNamed() ? 1 : 2);
        }
    }

    /** Returns the number that a new default factory gets. The call uses this number up. */
    static int nextPoolNumber() {
        String name = Executors.defaultThreadFactory().newThread(() -> {}).getName();
        return Integer.parseInt(name.replaceAll("pool-(\\d+)-.*", "$1"));
    }

    @EveryPool
    void userFactory_workersStarted_isAskedOncePerWorker(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 3).factory(factory).queue(pools.bounded(1)));
        assertThat(factory.made).isEmpty();
        pools.occupy(pool);
        assertThat(factory.made).hasSize(1);
        pools.occupy(pool);
        pool.execute(() -> {});
        assertThat(factory.made).hasSize(2);
        pools.occupy(pool);
        assertThat(factory.made).hasSize(3);
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(factory.made).hasSize(3);
    }

    @EveryPool
    void userFactory_threadMade_isLeftAsItIs(PoolFixture pools) {
        ClassLoader loader = new ClassLoader(ThreadsTest.class.getClassLoader()) {};
        Thread.UncaughtExceptionHandler handler = (thread, problem) -> {};
        ThreadGroup group = new ThreadGroup("users");
        ThreadFactory factory = work -> {
            Thread thread = new Thread(group, work, "by hand");
            thread.setDaemon(true);
            thread.setPriority(3);
            thread.setContextClassLoader(loader);
            thread.setUncaughtExceptionHandler(handler);
            return thread;
        };
        HeldTask task = pools.occupy(pools.make(pools.spec(1, 1).factory(factory)));
        Thread worker = task.worker;
        assertThat(worker.getName()).isEqualTo("by hand");
        assertThat(worker.isDaemon()).isTrue();
        assertThat(worker.getPriority()).isEqualTo(3);
        assertThat(worker.getContextClassLoader()).isSameAs(loader);
        assertThat(worker.getUncaughtExceptionHandler()).isSameAs(handler);
        assertThat(worker.getThreadGroup()).isSameAs(group);
    }

    @EveryPool
    void getThreadFactory_overridden_itsResultMakesTheThreads(PoolFixture pools) {
        RecordingFactory own = new RecordingFactory();
        RecordingFactory given = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(given).hooks(new Hooks() {
            @Override
            ThreadFactory threads() {
                return own;
            }
        }));
        assertThat(pool.getThreadFactory()).isSameAs(own);
        HeldTask task = pools.occupy(pool);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        task.release();
        pools.await("queued task", ran);
        assertThat(own.made).containsExactly(task.worker);
        assertThat(given.made).isEmpty();
    }

    @EveryPool
    void userFactory_called_isCalledByTheThreadThatExecutes(PoolFixture pools) {
        List<Thread> callers = new CopyOnWriteArrayList<>();
        pools.occupy(pools.make(pools.spec(1, 1).factory(work -> {
            callers.add(Thread.currentThread());
            return new Thread(work);
        })));
        assertThat(callers).containsExactly(Thread.currentThread());
    }

    @EveryPool
    void userFactory_returnsNull_taskWaitsForAThreadThatWorks(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(work -> null));
        CountDownLatch ran = new CountDownLatch(2);
        pool.execute(ran::countDown);
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getQueue()).hasSize(1);
        assertThat(pool.prestartCoreThread()).isFalse();
        pool.setThreadFactory(Executors.defaultThreadFactory());
        pool.execute(ran::countDown);
        pools.await("both tasks", ran);
        assertThat(pool.getLargestPoolSize()).isEqualTo(1);
    }

    @EveryPool
    void userFactory_returnsNullAndNoRoomInTheQueue_taskIsRejected(PoolFixture pools) {
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).queue(new SynchronousQueue<>()).factory(work -> null));
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.getPoolSize()).isZero();
        pool.setThreadFactory(Executors.defaultThreadFactory());
        pools.occupy(pool);
    }

    @EveryPool
    void userFactory_throws_executeThrowsTheSameAndThePoolGoesOn(PoolFixture pools) {
        factoryFailureIsPassedOn(pools, new IllegalStateException("no thread today"));
    }

    @EveryPool
    void userFactory_outOfMemory_executeThrowsTheSameAndThePoolGoesOn(PoolFixture pools) {
        factoryFailureIsPassedOn(pools, new OutOfMemoryError("unable to create native thread"));
    }

    private static void factoryFailureIsPassedOn(PoolFixture pools, Throwable problem) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(new OneTimeFactory(problem)));
        assertThatThrownBy(() -> pool.execute(() -> {})).isSameAs(problem);
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.getQueue()).isEmpty();
        assertThat(pool.getTaskCount()).isZero();
        pools.occupy(pool);
        assertThat(pool.getPoolSize()).isEqualTo(1);
        assertThat(pool.getLargestPoolSize()).isEqualTo(1);
    }

    @EveryPool
    void userFactory_returnsAStartedThread_isRefused(PoolFixture pools) {
        HeldTask other = pools.heldTask();
        Thread running = pools.thread(other::run);
        pools.await("start", other.started);
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(work -> running));
        assertThatThrownBy(() -> pool.execute(() -> {})).isExactlyInstanceOf(IllegalThreadStateException.class);
        assertThat(pool.getPoolSize()).isZero();
    }

    @EveryPool
    void userFactory_failsToReplaceAWorker_nextExecuteTriesAgain(PoolFixture pools) {
        RecordingFactory factory = new RecordingFactory() {
            private boolean failed;

            @Override
            public synchronized Thread newThread(Runnable work) {
                if (made.size() == 1 && !failed) {
                    failed = true;
                    throw new IllegalStateException("no replacement");
                }
                return super.newThread(work);
            }
        };
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory));
        pool.execute(() -> Sneaky.raise(new IllegalStateException("task")));
        pools.eventually(
                "end of the only worker", () -> !factory.made.get(0).isAlive() && factory.uncaught.size() == 1);
        assertThat(pool.getPoolSize()).isZero();
        pools.occupy(pool);
        assertThat(factory.made).hasSize(2);
    }

    @EveryPool
    void userFactory_executesOnItsPool_isNotHeldUp(PoolFixture pools) {
        AtomicReference<ThreadPoolExecutor> owner = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(2);
        List<Thread> made = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool =
                pools.make(pools.spec(2, 2).keepAlive(1, HOURS).factory(work -> {
                    Thread thread = new Thread(work);
                    made.add(thread);
                    if (made.size() == 1) {
                        assertThat(owner.get().getPoolSize()).isZero();
                        owner.get().execute(ran::countDown);
                    }
                    return thread;
                }));
        owner.set(pool);
        pools.within("execute whose factory executes", () -> pool.execute(ran::countDown));
        pools.await("both tasks", ran);
        assertThat(made).hasSize(2);
    }

    /** Fails once, and makes threads from then on. */
    private static final class OneTimeFactory implements ThreadFactory {

        private final Throwable problem;
        private boolean failed;

        OneTimeFactory(Throwable problem) {
            this.problem = problem;
        }

        @Override
        public synchronized Thread newThread(Runnable work) {
            if (!failed) {
                failed = true;
                Sneaky.raise(problem);
            }
            return new Thread(work);
        }
    }
}
