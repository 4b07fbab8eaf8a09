package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that give out other objects than they were given. */
final class WrongIdentity {

    private static final IdentityTest CHECKS = new IdentityTest();

    private WrongIdentity() {}

    static Stream<Wrong> all() {
        return Stream.concat(objects(), settings());
    }

    private static Stream<Wrong> objects() {
        return Stream.of(
                pool("wraps every task", CHECKS::getQueue_tasksExecuted_holdsThoseTasks, spec -> new HookedPool(spec) {
                    @Override
                    public void execute(Runnable task) {
                        super.execute(new WrappedTask(Objects.requireNonNull(task)));
                    }
                }),
                pool(
                        "wraps futures only",
                        CHECKS::getQueue_tasksSubmitted_holdsTheReturnedFutures,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                super.execute(task instanceof Future ? new WrappedTask(task) : task);
                            }
                        }),
                pool(
                        "wraps tasks, so that a priority queue cannot compare them",
                        CHECKS::execute_priorityQueue_runsComparableTasksInTheirOrder,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                super.execute(new IncomparableTask(task));
                            }
                        }),
                pool(
                        "returns a copy of its queue",
                        CHECKS::getQueue_anyConstructor_isTheQueueThatWasPassed,
                        spec -> new HookedPool(spec) {
                            @Override
                            public BlockingQueue<Runnable> getQueue() {
                                return new LinkedBlockingQueue<>(super.getQueue());
                            }
                        }),
                pool(
                        "puts tasks into the queue by another method",
                        CHECKS::execute_userSubclassOfQueue_offersItTheTask,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (getPoolSize() < getCorePoolSize()) {
                                    super.execute(task);
                                } else {
                                    getQueue().add(new WrappedTask(task));
                                }
                            }
                        }),
                pool(
                        "drops a task that is queued already",
                        CHECKS::getQueue_sameTaskManyTimes_holdsItAsManyTimes,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!getQueue().contains(task)) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "keeps times in a map keyed by task, which one task queued twice clobbers",
                        new SubmissionTest()::execute_sameTaskManyTimes_runsAsManyTimesAlsoAtOnce,
                        spec -> new HookedPool(spec) {
                            private final Map<Runnable, Long> times = new ConcurrentHashMap<>();

                            @Override
                            public void execute(Runnable task) {
                                times.put(task, System.nanoTime());
                                super.execute(task);
                            }

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                Objects.requireNonNull(times.remove(task));
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "expects every task to have come through execute",
                        CHECKS::getQueue_taskAddedByHand_isRunAndSeenByTheHooks,
                        spec -> new HookedPool(spec) {
                            private final Map<Runnable, Long> times = new ConcurrentHashMap<>();

                            @Override
                            public void execute(Runnable task) {
                                times.put(task, System.nanoTime());
                                super.execute(task);
                            }

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                Objects.requireNonNull(times.remove(task));
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "looks for its own wrapper in remove",
                        CHECKS::remove_queuedTask_takesItOutUnrun,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean remove(Runnable task) {
                                return super.remove(new WrappedTask(task));
                            }
                        }),
                pool(
                        "removes every occurrence of a task",
                        CHECKS::remove_taskQueuedTwice_takesOneOut,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean remove(Runnable task) {
                                return getQueue().removeIf(queued -> queued.equals(task));
                            }
                        }),
                pool("removes by identity", CHECKS::remove_equalTask_goesByEquals, spec -> new HookedPool(spec) {
                    @Override
                    public boolean remove(Runnable task) {
                        return getQueue().removeIf(queued -> queued == task);
                    }
                }),
                pool(
                        "says true when it removed nothing",
                        CHECKS::remove_taskThatIsNotQueued_isFalse,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean remove(Runnable task) {
                                super.remove(task);
                                return true;
                            }
                        }),
                pool(
                        "does not find cancelled futures in purge",
                        CHECKS::purge_someFuturesCancelled_dropsExactlyThose,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void purge() {}
                        }),
                pool(
                        "returns wrappers from shutdownNow",
                        CHECKS::shutdownNow_tasksWaiting_returnsThoseTasksInOrder,
                        spec -> new HookedPool(spec) {
                            @Override
                            public List<Runnable> shutdownNow() {
                                List<Runnable> tasks = super.shutdownNow();
                                tasks.replaceAll(WrappedTask::new);
                                return tasks;
                            }
                        }),
                pool(
                        "shows its hooks a wrapper",
                        CHECKS::hooks_tasksExecuted_seeThoseTasks,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, new WrappedTask(task));
                            }
                        }),
                pool(
                        "shows afterExecute what is inside a future",
                        CHECKS::hooks_tasksExecuted_seeThoseTasks,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task instanceof Future ? () -> {} : task, thrown);
                            }
                        }),
                pool(
                        "ignores newTaskFor",
                        new HooksTest()::newTaskFor_overriddenWithSuper_itsResultIsUsedEverywhere,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> Future<T> submit(Callable<T> task) {
                                RunnableFuture<T> future = new FutureTask<>(task);
                                execute(future);
                                return future;
                            }
                        }),
                pool(
                        "cannot do without the newTaskFor of its own",
                        new HooksTest()::newTaskFor_overriddenWithoutSuper_itsResultIsUsedEverywhere,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
                                RunnableFuture<T> own = super.newTaskFor(task);
                                return new FutureTask<>(() -> {
                                    own.run();
                                    return own.get();
                                });
                            }
                        }),
                pool(
                        "submits past execute",
                        new HooksTest()::execute_overridden_everySubmissionPassesThroughIt,
                        spec -> new HookedPool(spec) {
                            @Override
                            public Future<?> submit(Runnable task) {
                                RunnableFuture<?> future = newTaskFor(task, null);
                                getQueue().add(future);
                                prestartCoreThread();
                                return future;
                            }
                        }));
    }

    private static Stream<Wrong> settings() {
        return Stream.of(
                pool(
                        "shows its handler a wrapper",
                        CHECKS::handler_poolFull_seesTheTaskAndThePool,
                        spec -> new HookedPool(spec) {
                            {
                                RejectedExecutionHandler given = super.getRejectedExecutionHandler();
                                super.setRejectedExecutionHandler(
                                        (task, pool) -> given.rejectedExecution(new WrappedTask(task), pool));
                            }
                        }),
                pool(
                        "returns its own counting handler",
                        CHECKS::getRejectedExecutionHandler_handlerGiven_isThatHandler,
                        spec -> new HookedPool(spec) {
                            {
                                RejectedExecutionHandler given = super.getRejectedExecutionHandler();
                                super.setRejectedExecutionHandler(given::rejectedExecution);
                            }
                        }),
                pool(
                        "has a default handler of its own",
                        CHECKS::getRejectedExecutionHandler_noneGiven_isTheAbortPolicy,
                        spec -> new HookedPool(spec) {
                            {
                                RejectedExecutionHandler given = super.getRejectedExecutionHandler();
                                super.setRejectedExecutionHandler(given::rejectedExecution);
                            }
                        }),
                pool(
                        "ignores a handler that is set later",
                        CHECKS::setRejectedExecutionHandler_anotherHandler_isReturnedAndUsedFromThenOn,
                        spec -> new HookedPool(spec) {
                            private @Nullable RejectedExecutionHandler remembered;

                            @Override
                            public void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
                                remembered = handler;
                            }

                            @Override
                            public RejectedExecutionHandler getRejectedExecutionHandler() {
                                return remembered == null ? super.getRejectedExecutionHandler() : remembered;
                            }
                        }),
                pool(
                        "returns its own naming thread factory",
                        CHECKS::getThreadFactory_factoryGiven_isThatFactory,
                        spec -> new HookedPool(spec) {
                            {
                                ThreadFactory given = super.getThreadFactory();
                                super.setThreadFactory(given::newThread);
                            }
                        }),
                pool(
                        "wraps a thread factory that is set later",
                        CHECKS::setThreadFactory_anotherFactory_isReturnedAndUsedFromThenOn,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setThreadFactory(ThreadFactory factory) {
                                super.setThreadFactory(factory::newThread);
                            }
                        }),
                pool(
                        "changes the keep-alive",
                        CHECKS::getKeepAliveTime_anyConstructor_isTheTimeThatWasPassed,
                        spec -> new HookedPool(spec) {
                            {
                                super.setKeepAliveTime(5, TimeUnit.SECONDS);
                            }
                        }),
                pool(
                        "wraps the queue of a user",
                        CHECKS::getQueue_anyKindOfQueue_isTheQueueThatWasPassed,
                        spec -> new HookedPool(Specs.withQueue(spec, new LinkedBlockingQueue<>()))));
    }

    /** Comparable, but not with what is inside the others. */
    private static final class IncomparableTask extends WrappedTask implements Comparable<IncomparableTask> {

        IncomparableTask(Runnable task) {
            super(task);
        }

        @Override
        public int compareTo(IncomparableTask other) {
            return 0;
        }
    }
}
