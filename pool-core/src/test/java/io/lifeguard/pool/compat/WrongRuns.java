package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;
import static io.lifeguard.pool.compat.Wrong.swallow;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that do something to a task while it runs: to its interrupts or its exceptions. */
final class WrongRuns {

    private static final InterruptsTest INTERRUPTS = new InterruptsTest();
    private static final FailuresTest FAILURES = new FailuresTest();
    private static final HooksTest HOOKS = new HooksTest();

    private WrongRuns() {}

    static Stream<Wrong> all() {
        return Stream.concat(interrupts(), exceptions());
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
}
