package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.factories;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

/** Factory methods with a fault; each class has only the methods that are wrong. */
final class WrongFactories {

    private static final FactoriesTest CHECKS = new FactoriesTest();
    private static final OtherFactoriesTest OTHERS = new OtherFactoriesTest();

    private WrongFactories() {}

    static Stream<Wrong> all() {
        return Stream.of(pools(), others(), perTask()).flatMap(faults -> faults);
    }

    /** Where the JDK has such executors. */
    private static Stream<Wrong> perTask() {
        return !FactorySet.STOCK.has("newVirtualThreadPerTaskExecutor")
                ? Stream.of()
                : Stream.of(
                        factories(
                                "has one thread for all tasks",
                                OTHERS::newThreadPerTaskExecutor_tasksExecuted_eachHasItsThread,
                                OneForAll.class),
                        factories(
                                "has no virtual threads",
                                OTHERS::newVirtualThreadPerTaskExecutor_tasksExecuted_eachHasAVirtualThread,
                                NotVirtual.class));
    }

    private static Stream<Wrong> pools() {
        return Stream.of(
                factories(
                        "lacks most methods", CHECKS::factoryMethods_comparedWithExecutors_areAllThere, Bounded.class),
                factories(
                        "bounds the queue of a fixed pool",
                        CHECKS::newFixedThreadPool_sizeGiven_hasTheJdksSettings,
                        Bounded.class),
                factories(
                        "starts the threads of a fixed pool early",
                        CHECKS::newFixedThreadPool_sizeGiven_hasTheJdksSettings,
                        Prestarted.class),
                factories("corrects a size in silence", CHECKS::sizes_outOfRange_areRefused, Lenient.class),
                factories(
                        "queues the tasks of a cached pool",
                        CHECKS::newCachedThreadPool_tasksExecuted_hasTheJdksSettings,
                        QueueingCache.class),
                factories(
                        "hides a scheduled pool in a delegate",
                        CHECKS::newScheduledThreadPool_sizeGiven_hasTheJdksSettings,
                        Hidden.class),
                factories(
                        "wraps a user's thread factory",
                        CHECKS::threadFactory_given_isUsedAndReturned,
                        WrappedThreadFactory.class),
                factories(
                        "accepts no thread factory at all",
                        CHECKS::threadFactory_null_isRefused,
                        WrappedThreadFactory.class),
                factories(
                        "names the threads after itself",
                        CHECKS::threadFactory_noneGiven_threadsAreNamedAsTheJdkNamesThem,
                        Named.class),
                factories(
                        "keeps a fixed pool at one thread as long as there is room in its queue",
                        CHECKS::newFixedThreadPool_tasksExecuted_growsToItsSizeAndQueuesTheRest,
                        Reluctant.class),
                factories(
                        "ends the threads of a cached pool at once",
                        CHECKS::newCachedThreadPool_workersIdle_areReused,
                        Forgetful.class),
                factories(
                        "drops in silence what comes after shutdown",
                        CHECKS::everyPool_shutDown_endsAsTheJdksDo,
                        Silent.class));
    }

    private static Stream<Wrong> others() {
        return Stream.of(
                factories(
                        "keeps the exceptions of a single thread to itself",
                        OTHERS::newSingleThreadExecutor_taskThrows_threadIsReplaced,
                        Guarded.class),
                factories(
                        "lets a single thread be reconfigured",
                        OTHERS::newSingleThreadExecutor_cast_cannotBeReconfigured,
                        Castable.class),
                factories(
                        "lets a single scheduled thread be reconfigured",
                        OTHERS::newSingleThreadExecutor_cast_cannotBeReconfigured,
                        CastableScheduled.class),
                factories(
                        "has two single threads",
                        OTHERS::newSingleThreadExecutor_tasksExecuted_runOneByOneInOrder,
                        TwoSingles.class),
                factories(
                        "never ends the thread of a dropped single executor",
                        OTHERS::newSingleThreadExecutor_droppedWithoutShutdown_itsThreadEnds,
                        NeverEnding.class),
                factories(
                        "steals work last in, first out",
                        OTHERS::newWorkStealingPool_tasksExecuted_runOnDaemonsInOrderOfSubmission,
                        LastInFirstOut.class));
    }

    static final class Bounded {
        static ExecutorService newFixedThreadPool(int size) {
            return new ThreadPoolExecutor(size, size, 0, SECONDS, new ArrayBlockingQueue<>(1024));
        }
    }

    static final class Prestarted {
        static ExecutorService newFixedThreadPool(int size) {
            ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(size);
            pool.prestartAllCoreThreads();
            return pool;
        }
    }

    static final class Lenient {
        static ExecutorService newFixedThreadPool(int size) {
            return Executors.newFixedThreadPool(Math.max(1, size));
        }
    }

    static final class QueueingCache {
        static ExecutorService newCachedThreadPool() {
            return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, SECONDS, new LinkedBlockingQueue<>());
        }
    }

    static final class Hidden {
        static ScheduledExecutorService newScheduledThreadPool(int size) {
            return Executors.unconfigurableScheduledExecutorService(Executors.newScheduledThreadPool(size));
        }
    }

    static final class WrappedThreadFactory {
        static ExecutorService newCachedThreadPool(ThreadFactory factory) {
            return Executors.newCachedThreadPool(work -> factory.newThread(work));
        }
    }

    static final class Named {
        static ExecutorService newFixedThreadPool(int size) {
            return Executors.newFixedThreadPool(size, work -> new Thread(work, "lifeguard-1"));
        }
    }

    static final class Castable {
        static ExecutorService newSingleThreadExecutor() {
            return Executors.newFixedThreadPool(1);
        }
    }

    static final class CastableScheduled {
        static ScheduledExecutorService newSingleThreadScheduledExecutor() {
            return new ScheduledThreadPoolExecutor(1);
        }
    }

    static final class TwoSingles {
        static ExecutorService newSingleThreadExecutor() {
            return Executors.newFixedThreadPool(2);
        }
    }

    /** Nearly never: a thread that outlives the check must not outlive the tests. */
    static final class NeverEnding {
        static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
            ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 10, SECONDS, new LinkedBlockingQueue<>(), factory);
            pool.allowCoreThreadTimeOut(true);
            return Executors.unconfigurableExecutorService(pool);
        }
    }

    static final class Reluctant {
        static ExecutorService newFixedThreadPool(int size) {
            return new ThreadPoolExecutor(1, size, 0, SECONDS, new LinkedBlockingQueue<>());
        }
    }

    static final class Forgetful {
        static ExecutorService newCachedThreadPool(ThreadFactory factory) {
            return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 0, SECONDS, new SynchronousQueue<>(), factory);
        }
    }

    static final class Silent {
        static ExecutorService newFixedThreadPool(int size) {
            ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(size);
            pool.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
            return pool;
        }
    }

    static final class Guarded {
        static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
            return Executors.newScheduledThreadPool(1, factory);
        }
    }

    static final class OneForAll {
        static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory) {
            return Executors.newSingleThreadExecutor(factory);
        }
    }

    static final class NotVirtual {
        static ExecutorService newVirtualThreadPerTaskExecutor() {
            return Executors.newCachedThreadPool();
        }
    }

    static final class LastInFirstOut {
        static ExecutorService newWorkStealingPool(int parallelism) {
            return new ForkJoinPool(parallelism);
        }
    }
}
