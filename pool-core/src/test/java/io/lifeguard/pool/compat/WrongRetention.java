package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that keep what they should let go of. */
final class WrongRetention {

    private static final RetentionTest CHECKS = new RetentionTest();

    /** As a registry or a monitor of somebody's does it. */
    private static final List<Object> KEPT_FOR_EVER = new CopyOnWriteArrayList<>();

    private WrongRetention() {}

    static Stream<Wrong> all() {
        return Stream.concat(tasks(), pools());
    }

    /** Keeps the time of each task under the task, until the task is run. */
    private static final class TimesByTask extends HookedPool {

        private final Map<Runnable, Long> times = new ConcurrentHashMap<>();

        TimesByTask(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void execute(Runnable task) {
            times.put(task, System.nanoTime());
            super.execute(task);
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            times.remove(task);
            super.beforeExecute(worker, task);
        }
    }

    private static Stream<Wrong> tasks() {
        return Stream.of(
                pool(
                        "retains the task that it finished last",
                        CHECKS::execute_taskFinished_isNotRetained,
                        spec -> new HookedPool(spec) {
                            private @Nullable Runnable last;

                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                last = task;
                                super.afterExecute(last, thrown);
                            }
                        }),
                pool(
                        "retains the first task of each worker",
                        CHECKS::execute_firstTaskOfItsWorkerFinished_isNotRetained,
                        spec -> new HookedPool(spec) {
                            private final ThreadLocal<Runnable> first = new ThreadLocal<>();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                if (first.get() == null) {
                                    first.set(task);
                                }
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "retains the exception that it saw last",
                        CHECKS::execute_taskThrew_neitherItNorItsExceptionIsRetained,
                        spec -> new HookedPool(spec) {
                            private @Nullable Throwable last;

                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                last = thrown == null ? last : thrown;
                                super.afterExecute(task, thrown);
                            }
                        }),
                pool(
                        "retains the futures that it made",
                        CHECKS::submit_taskFinished_itsFutureIsNotRetained,
                        spec -> new HookedPool(spec) {
                            private final List<Future<?>> made = new CopyOnWriteArrayList<>();

                            @Override
                            public Future<?> submit(Runnable task) {
                                Future<?> future = super.submit(task);
                                made.add(future);
                                return future;
                            }
                        }),
                pool(
                        "leaks the map entry of a rejected task",
                        CHECKS::execute_taskRejected_isNotRetained,
                        TimesByTask::new),
                pool(
                        "leaks the map entry of a removed task",
                        CHECKS::remove_taskTakenOut_isNotRetained,
                        TimesByTask::new),
                pool(
                        "leaks the map entry of a purged task",
                        CHECKS::purge_futureCancelled_isNotRetained,
                        TimesByTask::new),
                pool(
                        "leaks the map entries at shutdownNow",
                        CHECKS::shutdownNow_tasksReturned_areNotRetained,
                        TimesByTask::new));
    }

    private static Stream<Wrong> pools() {
        return Stream.of(
                pool(
                        "retains the threads that have left",
                        CHECKS::worker_timedOut_itsThreadIsNotRetained,
                        spec -> new HookedPool(spec) {
                            private final Set<Thread> workers = ConcurrentHashMap.newKeySet();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                workers.add(worker);
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool("is registered for ever", CHECKS::pool_droppedUnused_isCollected, spec -> {
                    HookedPool pool = new HookedPool(spec);
                    KEPT_FOR_EVER.add(pool);
                    return pool;
                }),
                pool(
                        "is registered until it is shut down",
                        CHECKS::pool_coreZeroDroppedWithoutShutdown_isCollected,
                        spec -> {
                            HookedPool pool = new HookedPool(spec);
                            KEPT_FOR_EVER.add(pool);
                            return pool;
                        }),
                pool("is kept after its end", CHECKS::pool_shutDownAndDropped_isCollected, spec -> {
                    return new HookedPool(spec) {
                        @Override
                        protected void terminated() {
                            KEPT_FOR_EVER.add(this);
                            super.terminated();
                        }
                    };
                }),
                pool(
                        "keeps its workers though they may go",
                        CHECKS::pool_timedOutDroppedWithoutShutdown_isCollected,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void allowCoreThreadTimeOut(boolean allow) {}
                        }),
                pool(
                        "pins the classes of the tasks that it ran",
                        CHECKS::pool_ranTasksOfAnotherLoader_doesNotPinThatLoader,
                        spec -> new HookedPool(spec) {
                            private final Set<Class<?>> kinds = ConcurrentHashMap.newKeySet();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                kinds.add(task.getClass());
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "pins the class of its thread factory",
                        CHECKS::pool_droppedWithFactoryOfAnotherLoader_doesNotPinThatLoader,
                        spec -> {
                            KEPT_FOR_EVER.add(spec.factoryOrDefault().getClass());
                            return new HookedPool(spec);
                        }));
    }
}
