package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.factories;
import static io.lifeguard.pool.compat.Wrong.together;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

/** Factory methods with a fault. Each class has only the methods that are wrong. */
final class WrongFactories {

    private static final FactoriesTest CHECKS = new FactoriesTest();
    private static final OtherFactoriesTest OTHERS = new OtherFactoriesTest();

    private WrongFactories() {}

    static Stream<Wrong> all() {
        return together(
                factories(
                        "makes pools with settings of its own",
                        OwnSettings.class,
                        CHECKS::factoryMethods_comparedWithExecutors_areAllThere,
                        CHECKS::newFixedThreadPool_sizeGiven_hasTheJdksSettings,
                        CHECKS::newCachedThreadPool_tasksExecuted_hasTheJdksSettings,
                        CHECKS::newScheduledThreadPool_sizeGiven_hasTheJdksSettings,
                        CHECKS::sizes_outOfRange_areRefused,
                        CHECKS::threadFactory_given_isUsedAndReturned,
                        CHECKS::threadFactory_null_isRefused,
                        CHECKS::threadFactory_noneGiven_threadsAreNamedAsTheJdkNamesThem,
                        OTHERS::newSingleThreadExecutor_cast_cannotBeReconfigured,
                        OTHERS::newSingleThreadExecutor_tasksExecuted_runOneByOneInOrder,
                        OTHERS::newSingleThreadExecutor_droppedWithoutShutdown_itsThreadEnds),
                factories(
                        "makes pools that behave in their own way",
                        OwnBehaviour.class,
                        CHECKS::newFixedThreadPool_tasksExecuted_growsToItsSizeAndQueuesTheRest,
                        CHECKS::newCachedThreadPool_workersIdle_areReused,
                        CHECKS::everyPool_shutDown_endsAsTheJdksDo,
                        OTHERS::newSingleThreadExecutor_taskThrows_threadIsReplaced,
                        OTHERS::newWorkStealingPool_tasksExecuted_runOnDaemonsInOrderOfSubmission),
                perTask());
    }

    /** Only on JDKs that have such executors. */
    private static Stream<Wrong> perTask() {
        return !FactorySet.STOCK.has("newVirtualThreadPerTaskExecutor")
                ? Stream.of()
                : factories(
                        "makes executors per task that share threads",
                        PerTask.class,
                        OTHERS::newThreadPerTaskExecutor_tasksExecuted_eachHasItsThread,
                        OTHERS::newVirtualThreadPerTaskExecutor_tasksExecuted_eachHasAVirtualThread);
    }

    static final class OwnSettings {
        static ExecutorService newFixedThreadPool(int size) {
            int corrected = Math.max(1, size);
            ThreadPoolExecutor pool = new ThreadPoolExecutor(
                    corrected,
                    corrected,
                    0,
                    SECONDS,
                    new ArrayBlockingQueue<>(1024),
                    body -> new Thread(body, "lifeguard-1"));
            pool.prestartAllCoreThreads();
            return pool;
        }

        static ExecutorService newCachedThreadPool() {
            return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, SECONDS, new LinkedBlockingQueue<>());
        }

        static ExecutorService newCachedThreadPool(ThreadFactory factory) {
            return Executors.newCachedThreadPool(body -> factory.newThread(body));
        }

        static ScheduledExecutorService newScheduledThreadPool(int size) {
            return Executors.unconfigurableScheduledExecutorService(Executors.newScheduledThreadPool(size));
        }

        static ExecutorService newSingleThreadExecutor() {
            return Executors.newFixedThreadPool(2);
        }

        /** Its thread ends only after 10 s, because a thread that outlives the check must not outlive the tests. */
        static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
            ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 10, SECONDS, new LinkedBlockingQueue<>(), factory);
            pool.allowCoreThreadTimeOut(true);
            return Executors.unconfigurableExecutorService(pool);
        }
    }

    static final class OwnBehaviour {
        static ExecutorService newFixedThreadPool(int size) {
            return new ThreadPoolExecutor(
                    1, size, 0, SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.DiscardPolicy());
        }

        static ExecutorService newCachedThreadPool(ThreadFactory factory) {
            return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 0, SECONDS, new SynchronousQueue<>(), factory);
        }

        static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
            return Executors.newScheduledThreadPool(1, factory);
        }

        static ExecutorService newWorkStealingPool(int parallelism) {
            return new ForkJoinPool(parallelism);
        }
    }

    static final class PerTask {
        static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory) {
            return Executors.newSingleThreadExecutor(factory);
        }

        static ExecutorService newVirtualThreadPerTaskExecutor() {
            return Executors.newCachedThreadPool();
        }
    }
}
