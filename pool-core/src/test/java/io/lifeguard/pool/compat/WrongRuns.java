package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;
import static io.lifeguard.pool.compat.Wrong.swallow;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that do something to a task while it runs: to its interrupts, its exceptions, or to others by their locks. */
final class WrongRuns {

    private static final InterruptsTest INTERRUPTS = new InterruptsTest();
    private static final FailuresTest FAILURES = new FailuresTest();
    private static final HooksTest HOOKS = new HooksTest();
    private static final LocksTest LOCKS = new LocksTest();
    private static final SubmissionTest SUBMISSION = new SubmissionTest();

    private WrongRuns() {}

    static Stream<Wrong> all() {
        return Stream.of(interrupts(), exceptions(), locks(), results()).flatMap(faults -> faults);
    }

    private static Stream<Wrong> interrupts() {
        return Stream.of(
                pool(
                        "swallows the interrupt that a task leaves",
                        INTERRUPTS::task_interruptsItself_afterExecuteSeesTheInterrupt,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                Thread.interrupted();
                                super.afterExecute(task, thrown);
                            }
                        }),
                pool(
                        "swallows the interrupt that comes before a task",
                        INTERRUPTS::beforeExecute_interruptsTheWorker_taskSeesTheInterrupt,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                                Thread.interrupted();
                            }
                        }),
                pool(
                        "hands the interrupt of one task to the next",
                        INTERRUPTS::task_interruptsItself_nextTaskOfTheWorkerIsNotInterrupted,
                        spec -> new HookedPool(spec) {
                            private volatile boolean left;

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                if (left) {
                                    worker.interrupt();
                                }
                                super.beforeExecute(worker, task);
                            }

                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, thrown);
                                left = Thread.currentThread().isInterrupted();
                            }
                        }),
                pool(
                        "swallows the interrupt of a submitter",
                        INTERRUPTS::execute_callerIsInterrupted_acceptsAndKeepsTheInterrupt,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                Thread.interrupted();
                                super.execute(task);
                            }
                        }),
                pool(
                        "accepts nothing from an interrupted submitter",
                        INTERRUPTS::execute_callerIsInterrupted_acceptsAndKeepsTheInterrupt,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!Thread.currentThread().isInterrupted()) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "always interrupts on cancel",
                        INTERRUPTS::cancel_mayNotInterrupt_leavesTheRunningTaskAlone,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
                                return new FutureTask<>(task, value) {
                                    @Override
                                    public boolean cancel(boolean mayInterrupt) {
                                        return super.cancel(true);
                                    }
                                };
                            }
                        }),
                pool(
                        "never interrupts on cancel",
                        INTERRUPTS::cancel_mayInterrupt_interruptsTheRunningTaskOnly,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
                                return new FutureTask<>(task, value) {
                                    @Override
                                    public boolean cancel(boolean mayInterrupt) {
                                        return super.cancel(false);
                                    }
                                };
                            }
                        }),
                pool(
                        "interrupts running tasks when a setting changes",
                        INTERRUPTS::setters_taskRunning_doNotInterruptIt,
                        spec -> new HookedPool(spec) {
                            private final Set<Thread> workers = ConcurrentHashMap.newKeySet();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                workers.add(worker);
                                super.beforeExecute(worker, task);
                            }

                            @Override
                            public void setKeepAliveTime(long time, TimeUnit unit) {
                                super.setKeepAliveTime(time, unit);
                                workers.forEach(Thread::interrupt);
                            }
                        }));
    }

    private static Stream<Wrong> exceptions() {
        return Stream.of(
                pool(
                        "swallows exceptions",
                        FAILURES::execute_taskThrows_reachesTheUncaughtHandlerItself,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                super.execute(() -> {
                                    try {
                                        task.run();
                                    } catch (Throwable e) {
                                        swallow(e);
                                    }
                                });
                            }
                        }),
                pool(
                        "wraps exceptions",
                        FAILURES::execute_queuedTaskThrows_reachesTheUncaughtHandlerItself,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, thrown);
                                if (thrown != null) {
                                    throw new IllegalStateException(thrown);
                                }
                            }
                        }),
                pool(
                        "adds something to an exception",
                        FAILURES::execute_taskThrows_reachesTheUncaughtHandlerItself,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, thrown);
                                if (thrown != null) {
                                    thrown.addSuppressed(new IllegalStateException("submitted here"));
                                }
                            }
                        }),
                pool(
                        "lets the exceptions of futures out",
                        FAILURES::submit_taskThrows_staysInTheFutureAndTheWorkerLives,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, thrown);
                                if (task instanceof Future<?> future) {
                                    try {
                                        future.get();
                                    } catch (InterruptedException | ExecutionException e) {
                                        throw new IllegalStateException(e);
                                    }
                                }
                            }
                        }),
                pool(
                        "does not tell afterExecute of exceptions",
                        HOOKS::afterExecute_taskThrows_getsThatVeryThrowable,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, null);
                            }
                        }),
                pool(
                        "digs the exception out of a future for afterExecute",
                        HOOKS::afterExecute_submittedTaskThrows_getsNullAndTheDoneFuture,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                super.afterExecute(task, new IllegalStateException());
                            }
                        }),
                pool(
                        "runs the task though beforeExecute threw",
                        HOOKS::beforeExecute_throws_taskIsSkippedAndTheWorkerReplaced,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                try {
                                    super.beforeExecute(worker, task);
                                } catch (RuntimeException e) {
                                    swallow(e);
                                }
                            }
                        }),
                pool(
                        "guards itself from afterExecute",
                        HOOKS::afterExecute_throws_isCalledAgainWithThatAndTheWorkerReplaced,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                                try {
                                    super.afterExecute(task, thrown);
                                } catch (RuntimeException e) {
                                    swallow(e);
                                }
                            }
                        }),
                pool(
                        "calls afterExecute before the task",
                        HOOKS::hooks_taskExecuted_surroundItOnItsWorker,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                                super.afterExecute(task, null);
                            }

                            @Override
                            protected void afterExecute(Runnable task, @Nullable Throwable thrown) {}
                        }));
    }

    private static Stream<Wrong> locks() {
        return Stream.of(
                pool(
                        "holds its monitor across execute, and so across the thread factory",
                        LOCKS::execute_factoryBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }
                        }),
                pool(
                        "holds its monitor across execute, and so across the handler",
                        LOCKS::execute_handlerBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }
                        }),
                pool(
                        "holds a lock across execute, and so across a task that its caller runs",
                        LOCKS::execute_callerRunsALongTask_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            private final Semaphore lock = new Semaphore(1);

                            @Override
                            public void execute(Runnable task) {
                                lock.acquireUninterruptibly();
                                try {
                                    super.execute(task);
                                } finally {
                                    lock.release();
                                }
                            }
                        }),
                pool(
                        "holds a lock across execute, and so across the queue",
                        LOCKS::execute_offerOfTheQueueBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            private final Object lock = new Object();

                            @Override
                            public void execute(Runnable task) {
                                synchronized (lock) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "holds its monitor across newTaskFor",
                        LOCKS::submit_newTaskForBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }

                            @Override
                            public synchronized Future<?> submit(Runnable task) {
                                return super.submit(task);
                            }
                        }),
                pool("needs its own monitor", LOCKS::monitorOfThePool_heldByAUser_disturbsNobody, spec -> {
                    return new HookedPool(spec) {
                        @Override
                        public synchronized void execute(Runnable task) {
                            super.execute(task);
                        }
                    };
                }),
                pool(
                        "calls its hooks under its monitor",
                        LOCKS::monitorOfThePool_codeOfAUserRuns_isNotHeld,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected synchronized void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "cannot be executed on from within its thread factory",
                        new ThreadsTest()::userFactory_executesOnItsPool_isNotHeldUp,
                        spec -> new HookedPool(spec) {
                            private final Semaphore lock = new Semaphore(1);

                            @Override
                            public void execute(Runnable task) {
                                lock.acquireUninterruptibly();
                                try {
                                    super.execute(task);
                                } finally {
                                    lock.release();
                                }
                            }
                        }));
    }

    private static Stream<Wrong> results() {
        return Stream.of(
                pool(
                        "loses every hundredth task",
                        SUBMISSION::execute_oneWorker_runsInOrderOfSubmission,
                        spec -> new HookedPool(spec) {
                            private int tasks;

                            @Override
                            public void execute(Runnable task) {
                                if (++tasks % 100 != 0) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "takes a cancelled future out of the queue",
                        SUBMISSION::cancel_taskQueued_itNeverRunsAndStaysQueued,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
                                return new FutureTask<>(task) {
                                    @Override
                                    protected void done() {
                                        if (isCancelled()) {
                                            remove(this);
                                        }
                                    }
                                };
                            }
                        }),
                pool(
                        "loses the result of a Runnable",
                        SUBMISSION::submit_taskReturns_futureHoldsItsResult,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
                                return super.newTaskFor(task, null);
                            }
                        }),
                pool(
                        "returns the futures of invokeAll in another order",
                        SUBMISSION::invokeAll_tasksReturnAndThrow_allFuturesAreDoneInOrder,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
                                    throws InterruptedException {
                                List<Future<T>> futures = super.invokeAll(tasks);
                                Collections.reverse(futures);
                                return futures;
                            }
                        }),
                pool(
                        "runs a task twice now and then",
                        SUBMISSION::execute_fromManyThreads_everyTaskRunsOnce,
                        spec -> new HookedPool(spec) {
                            private final AtomicInteger tasks = new AtomicInteger();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                                if (tasks.incrementAndGet() == 1000) {
                                    task.run();
                                }
                            }
                        }));
    }
}
