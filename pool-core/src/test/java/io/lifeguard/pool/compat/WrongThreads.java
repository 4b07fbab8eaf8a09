package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Pools that start, keep, name or end threads otherwise than the JDK's. */
final class WrongThreads {

    private static final GrowthTest GROWTH = new GrowthTest();
    private static final KeepAliveTest KEEP_ALIVE = new KeepAliveTest();
    private static final ThreadsTest THREADS = new ThreadsTest();

    private WrongThreads() {}

    static Stream<Wrong> all() {
        return Stream.of(growth(), keepAlive(), threads()).flatMap(faults -> faults);
    }

    private static Stream<Wrong> growth() {
        return Stream.of(
                pool(
                        "starts its threads early",
                        GROWTH::constructor_nothingExecuted_startsNoThread,
                        spec -> new HookedPool(spec) {
                            {
                                super.prestartAllCoreThreads();
                            }
                        }),
                pool("starts a thread to look at it", GROWTH::getters_nothingExecuted_startNoThread, spec -> {
                    return new HookedPool(spec) {
                        @Override
                        public void purge() {
                            super.purge();
                            super.prestartCoreThread();
                        }
                    };
                }),
                pool(
                        "reuses idle workers before it has its core",
                        GROWTH::execute_idleWorkersBelowCore_startsAnotherAllTheSame,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (getPoolSize() > getActiveCount()) {
                                    getQueue().add(task);
                                } else {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "grows to its maximum before it queues",
                        GROWTH::execute_coreBusy_fillsTheQueueBeforeItGrows,
                        spec -> new HookedPool(Specs.withSizes(spec, spec.maximum(), spec.maximum()))),
                pool(
                        "grows though the queue is unbounded",
                        GROWTH::execute_unboundedQueue_neverGrowsBeyondCore,
                        spec -> new HookedPool(Specs.withSizes(spec, spec.maximum(), spec.maximum()))),
                pool(
                        "never grows beyond its core",
                        GROWTH::execute_synchronousQueue_growsToMaximumAndThenRejects,
                        spec -> new HookedPool(Specs.withSizes(spec, spec.core(), Math.max(1, spec.core())))),
                pool(
                        "enqueues without looking for a worker",
                        GROWTH::execute_coreZero_startsOneWorkerForTheQueue,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (getPoolSize() < getCorePoolSize()) {
                                    super.execute(task);
                                } else {
                                    getQueue().add(task);
                                }
                            }
                        }),
                pool(
                        "prestarts all when asked for one",
                        GROWTH::prestartCoreThread_belowCore_startsOneIdleWorker,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean prestartCoreThread() {
                                return super.prestartAllCoreThreads() > 0;
                            }
                        }),
                pool(
                        "does not start threads for a backlog when the core is raised",
                        GROWTH::setCorePoolSize_raisedWithBacklog_startsThreadsForIt,
                        spec -> new HookedPool(spec) {
                            private int core = spec.core();

                            @Override
                            public void setCorePoolSize(int size) {
                                core = size;
                            }

                            @Override
                            public int getCorePoolSize() {
                                return core;
                            }
                        }),
                pool(
                        "fills up to a core that is raised",
                        GROWTH::setCorePoolSize_raisedWithoutBacklog_startsNone,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setCorePoolSize(int size) {
                                super.setCorePoolSize(size);
                                super.prestartAllCoreThreads();
                            }
                        }),
                pool(
                        "keeps the workers above a maximum that is lowered",
                        GROWTH::setMaximumPoolSize_lowered_idleWorkersAboveItLeaveAtOnce,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setMaximumPoolSize(int size) {}
                        }));
    }

    private static Stream<Wrong> keepAlive() {
        return Stream.of(
                pool(
                        "keeps idle workers longer than it says",
                        KEEP_ALIVE::idleWorkers_keepAliveOver_leaveDownToCore,
                        spec -> new HookedPool(spec) {
                            {
                                super.setKeepAliveTime(1, TimeUnit.HOURS);
                            }

                            @Override
                            public long getKeepAliveTime(TimeUnit unit) {
                                return unit.convert(spec.keepAlive(), spec.unit());
                            }
                        }),
                pool(
                        "lets idle workers go sooner than it says",
                        KEEP_ALIVE::idleWorkers_keepAliveNotOver_stay,
                        spec -> new HookedPool(spec) {
                            {
                                super.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
                            }
                        }),
                pool(
                        "lets core workers time out",
                        KEEP_ALIVE::coreWorkers_timeOutNotAllowed_stayHoweverShortTheKeepAlive,
                        spec -> new HookedPool(spec) {
                            {
                                super.allowCoreThreadTimeOut(true);
                            }
                        }),
                pool(
                        "never lets core workers time out",
                        KEEP_ALIVE::coreWorkers_timeOutAllowed_leaveAndComeBack,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void allowCoreThreadTimeOut(boolean allow) {}
                        }),
                pool(
                        "forgets that its workers may have left",
                        KEEP_ALIVE::execute_coreWorkersAlwaysAboutToLeave_everyTaskRuns,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (getLargestPoolSize() < getCorePoolSize()) {
                                    super.execute(task);
                                } else {
                                    getQueue().add(task);
                                }
                            }
                        }),
                pool(
                        "takes a shorter keep-alive for future workers only",
                        KEEP_ALIVE::setKeepAliveTime_shortened_appliesToWorkersIdleAlready,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setKeepAliveTime(long time, TimeUnit unit) {}
                        }));
    }

    private static Stream<Wrong> threads() {
        return Stream.of(
                pool(
                        "names the JDK's threads after itself",
                        THREADS::defaultFactory_threeWorkers_areNamedAsTheJdkNamesThem,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                worker.setName("lifeguard-" + worker.getName());
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "renames a thread after each task",
                        THREADS::defaultFactory_workerRanManyTasks_isStillNamedTheSame,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                worker.setName("pool-1-thread-1 (" + getTaskCount() + ")");
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool("uses up two pool numbers", THREADS::constructor_defaultFactory_usesUpOnePoolNumber, spec -> {
                    Executors.defaultThreadFactory();
                    return new HookedPool(spec);
                }),
                pool(
                        "asks the thread factory for a spare thread",
                        THREADS::userFactory_workersStarted_isAskedOncePerWorker,
                        spec -> new HookedPool(spec) {
                            {
                                ThreadFactory given = super.getThreadFactory();
                                super.setThreadFactory(work -> {
                                    given.newThread(() -> {});
                                    return given.newThread(work);
                                });
                            }
                        }),
                pool(
                        "changes the threads of a user's factory",
                        THREADS::userFactory_threadMade_isLeftAsItIs,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                worker.setContextClassLoader(getClass().getClassLoader());
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "makes its threads on a thread of its own",
                        THREADS::userFactory_called_isCalledByTheThreadThatExecutes,
                        spec -> new HookedPool(spec) {
                            {
                                ThreadFactory given = super.getThreadFactory();
                                super.setThreadFactory(work -> {
                                    Thread[] made = new Thread[1];
                                    Thread maker = new Thread(() -> made[0] = given.newThread(work));
                                    maker.start();
                                    try {
                                        maker.join();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    return made[0];
                                });
                            }
                        }),
                pool(
                        "rejects when the thread factory throws",
                        THREADS::userFactory_throws_executeThrowsTheSameAndThePoolGoesOn,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                try {
                                    super.execute(task);
                                } catch (IllegalStateException e) {
                                    throw new RejectedExecutionException(e);
                                }
                            }
                        }),
                pool(
                        "counts a task in before it has a thread for it",
                        THREADS::userFactory_outOfMemory_executeThrowsTheSameAndThePoolGoesOn,
                        spec -> new HookedPool(spec) {
                            private long tasks;

                            @Override
                            public void execute(Runnable task) {
                                tasks++;
                                super.execute(task);
                            }

                            @Override
                            public long getTaskCount() {
                                return tasks;
                            }
                        }),
                pool(
                        "cannot bear a thread factory that returns null",
                        THREADS::userFactory_returnsNull_taskWaitsForAThreadThatWorks,
                        spec -> new HookedPool(spec) {
                            {
                                ThreadFactory given = super.getThreadFactory();
                                super.setThreadFactory(work -> {
                                    Thread thread = given.newThread(work);
                                    thread.setName(thread.getName());
                                    return thread;
                                });
                            }
                        }),
                pool(
                        "starts a thread of its own when the factory makes none",
                        THREADS::userFactory_returnsNullAndNoRoomInTheQueue_taskIsRejected,
                        spec -> new HookedPool(spec) {
                            {
                                ThreadFactory given = super.getThreadFactory();
                                super.setThreadFactory(work -> {
                                    Thread thread = given.newThread(work);
                                    return thread == null ? new Thread(work) : thread;
                                });
                            }
                        }));
    }
}
