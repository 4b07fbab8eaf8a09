package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that lose tasks or results, run tasks out of turn, or do otherwise with many tasks than the JDK's. */
final class WrongResults {

    private static final SubmissionTest SUBMISSION = new SubmissionTest();

    private WrongResults() {}

    static Stream<Wrong> all() {
        return Stream.of(tasks(), futures(), invocations()).flatMap(faults -> faults);
    }

    private static Stream<Wrong> futures() {
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

    private static Stream<Wrong> tasks() {
        return Stream.of(
                pool(
                        "runs at once what its own worker executes",
                        SUBMISSION::execute_withinATask_isQueuedBehind,
                        spec -> new HookedPool(spec) {
                            private final ThreadLocal<Boolean> working = new ThreadLocal<>();

                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                                working.set(true);
                            }

                            @Override
                            public void execute(Runnable task) {
                                if (working.get() == null) {
                                    super.execute(task);
                                } else {
                                    task.run();
                                }
                            }
                        }),
                pool(
                        "returns null from a get that timed out",
                        SUBMISSION::get_taskNotFinished_timesOut,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
                                return new FutureTask<>(task) {
                                    @Override
                                    public @Nullable T get(long timeout, TimeUnit unit)
                                            throws InterruptedException, ExecutionException {
                                        try {
                                            return super.get(timeout, unit);
                                        } catch (TimeoutException e) {
                                            return null;
                                        }
                                    }
                                };
                            }
                        }));
    }

    private static Stream<Wrong> invocations() {
        return Stream.of(
                pool(
                        "leaves null out of invokeAll",
                        new ArgumentsTest()::invokeAll_nullElement_isRefused,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
                                    throws InterruptedException {
                                return super.invokeAll(
                                        tasks.stream().filter(Objects::nonNull).toList());
                            }
                        }),
                pool(
                        "does not cancel when the time of invokeAll is over",
                        SUBMISSION::invokeAll_timeOver_cancelsWhatIsNotDone,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> List<Future<T>> invokeAll(
                                    Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
                                List<Future<T>> futures = new ArrayList<>();
                                tasks.forEach(task -> futures.add(submit(task)));
                                return futures;
                            }
                        }),
                pool(
                        "takes the first task of invokeAny for all",
                        SUBMISSION::invokeAny_someThrow_returnsASuccess,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> T invokeAny(Collection<? extends Callable<T>> tasks)
                                    throws InterruptedException, ExecutionException {
                                return this.<T>submit(tasks.iterator().next()).get();
                            }
                        }),
                pool(
                        "does not cancel when the time of invokeAny is over",
                        SUBMISSION::invokeAny_timeOver_throwsAndCancels,
                        spec -> new HookedPool(spec) {
                            @Override
                            public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
                                    throws InterruptedException, ExecutionException, TimeoutException {
                                return this.<T>submit(tasks.iterator().next()).get(timeout, unit);
                            }
                        }));
    }
}
