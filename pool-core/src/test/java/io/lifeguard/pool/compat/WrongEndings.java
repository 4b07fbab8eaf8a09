package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;
import static io.lifeguard.pool.compat.Wrong.swallow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Pools that reject, shut down or describe themselves otherwise than the JDK's. */
final class WrongEndings {

    private static final RejectionTest REJECTION = new RejectionTest();
    private static final ShutdownTest SHUTDOWN = new ShutdownTest();

    private WrongEndings() {}

    static Stream<Wrong> all() {
        return Stream.of(rejections(), shutdowns(), waits(), descriptions()).flatMap(faults -> faults);
    }

    /** A pool whose handler is another than it says. */
    private static class SecretHandler extends HookedPool {

        private final RejectedExecutionHandler given;

        SecretHandler(PoolSpec spec, RejectedExecutionHandler secret) {
            super(spec);
            given = super.getRejectedExecutionHandler();
            super.setRejectedExecutionHandler(secret);
        }

        @Override
        public RejectedExecutionHandler getRejectedExecutionHandler() {
            return given;
        }
    }

    private static Stream<Wrong> rejections() {
        return Stream.of(
                pool(
                        "changes the rejection message",
                        REJECTION::abortPolicy_poolFull_throwsTheJdksMessage,
                        spec -> new SecretHandler(spec, (task, pool) -> {
                            throw new RejectedExecutionException("Task " + task + " rejected from pool " + pool);
                        })),
                pool(
                        "throws an exception of its own",
                        REJECTION::abortPolicy_poolShutDown_throwsTheJdksMessage,
                        spec -> new SecretHandler(spec, (task, pool) -> {
                            throw new RejectedExecutionException("Task " + task + " rejected from " + pool) {
                                private static final long serialVersionUID = 1;
                            };
                        })),
                pool(
                        "counts rejected tasks as submitted",
                        REJECTION::execute_rejected_leavesNoTrace,
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
                        "calls its hooks for tasks that their caller runs",
                        REJECTION::callerRunsPolicy_poolFull_callerRunsItBeforeExecuteReturns,
                        spec -> new HookedPool(spec) {
                            {
                                super.setRejectedExecutionHandler((task, pool) -> {
                                    beforeExecute(Thread.currentThread(), task);
                                    task.run();
                                    afterExecute(task, null);
                                });
                            }
                        }),
                pool(
                        "keeps exceptions from a caller that runs its task",
                        REJECTION::callerRunsPolicy_taskThrows_callerGetsThatVeryException,
                        spec -> new SecretHandler(spec, (task, pool) -> {
                            try {
                                task.run();
                            } catch (Throwable e) {
                                swallow(e);
                            }
                        })),
                pool(
                        "runs tasks at their caller even after shutdown",
                        REJECTION::callerRunsPolicy_poolShutDown_dropsTheTask,
                        spec -> new SecretHandler(spec, (task, pool) -> task.run())),
                pool(
                        "cancels a future that it discards",
                        REJECTION::discardPolicy_poolFull_dropsTheTaskInSilence,
                        spec -> new SecretHandler(spec, (task, pool) -> {
                            if (task instanceof Future<?> future) {
                                future.cancel(false);
                            }
                        })),
                pool(
                        "discards the newest",
                        REJECTION::discardOldestPolicy_poolFull_dropsTheHeadAndQueuesTheTask,
                        spec -> new SecretHandler(spec, (task, pool) -> {})),
                pool(
                        "discards the oldest after shutdown too",
                        REJECTION::discardOldestPolicy_poolShutDown_dropsTheNewTaskOnly,
                        spec -> new SecretHandler(
                                spec, (task, pool) -> pool.getQueue().poll())),
                pool(
                        "asks the handler twice",
                        REJECTION::userHandler_poolFull_isCalledOnceByTheSubmitter,
                        spec -> new HookedPool(spec) {
                            {
                                RejectedExecutionHandler given = super.getRejectedExecutionHandler();
                                super.setRejectedExecutionHandler((task, pool) -> {
                                    given.rejectedExecution(task, pool);
                                    given.rejectedExecution(task, pool);
                                });
                            }
                        }),
                pool(
                        "guards itself from a handler",
                        REJECTION::userHandler_throws_submitterGetsThatVeryException,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                try {
                                    super.execute(task);
                                } catch (Throwable e) {
                                    throw new RejectedExecutionException(e);
                                }
                            }
                        }),
                pool(
                        "does not let a handler execute again",
                        REJECTION::userHandler_executesAgain_isServedWhenThereIsRoom,
                        spec -> new HookedPool(spec) {
                            private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

                            @Override
                            public void execute(Runnable task) {
                                if (inside.get() != null) {
                                    return;
                                }
                                inside.set(true);
                                try {
                                    super.execute(task);
                                } finally {
                                    inside.remove();
                                }
                            }
                        }),
                pool(
                        "spares a handler the tasks after shutdown",
                        REJECTION::userHandler_poolShutDown_isCalledToo,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!isShutdown()) {
                                    super.execute(task);
                                }
                            }
                        }));
    }

    private static Stream<Wrong> shutdowns() {
        return Stream.of(
                pool(
                        "does nothing at a second shutdownNow",
                        new InterruptsTest()::shutdownNow_calledAgain_interruptsAgain,
                        spec -> new HookedPool(spec) {
                            private boolean called;

                            @Override
                            public List<Runnable> shutdownNow() {
                                if (called) {
                                    return new ArrayList<>();
                                }
                                called = true;
                                return super.shutdownNow();
                            }
                        }),
                pool(
                        "does nothing at a shutdownNow after shutdown",
                        SHUTDOWN::shutdownNow_afterShutdown_returnsWhatIsLeftAndInterrupts,
                        spec -> new HookedPool(spec) {
                            @Override
                            public List<Runnable> shutdownNow() {
                                return isShutdown() ? new ArrayList<>() : super.shutdownNow();
                            }
                        }),
                pool(
                        "cancels what shutdownNow returns",
                        SHUTDOWN::shutdownNow_futuresWaiting_areNeitherDoneNorCancelled,
                        spec -> new HookedPool(spec) {
                            @Override
                            public List<Runnable> shutdownNow() {
                                List<Runnable> tasks = super.shutdownNow();
                                tasks.forEach(task -> ((Future<?>) task).cancel(true));
                                return tasks;
                            }
                        }),
                pool(
                        "interrupts running tasks at shutdown",
                        new InterruptsTest()::shutdown_taskRunning_isNotInterrupted,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void shutdown() {
                                super.shutdownNow();
                            }
                        }),
                pool(
                        "drops the queue at shutdown",
                        SHUTDOWN::shutdown_tasksWaiting_theyStillRun,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void shutdown() {
                                getQueue().clear();
                                super.shutdown();
                            }
                        }),
                pool(
                        "drops tasks in silence after shutdown",
                        SHUTDOWN::shutdown_executeAfterwards_isRejectedAndNotQueued,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!isShutdown()) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "strands a task that comes after shutdown in its queue",
                        SHUTDOWN::shutdown_executeAfterwards_isRejectedAndNotQueued,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                BlockingQueue<Runnable> queue = getQueue();
                                try {
                                    super.execute(task);
                                } catch (RejectedExecutionException e) {
                                    queue.add(task);
                                    throw e;
                                }
                            }
                        }),
                pool(
                        "says that it has ended when it is about to",
                        SHUTDOWN::state_throughALife_changesAsItDoesInTheJdk,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
                                return super.awaitTermination(timeout, unit) || isShutdown();
                            }
                        }),
                pool(
                        "is terminating for ever",
                        SHUTDOWN::state_throughALife_changesAsItDoesInTheJdk,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean isTerminating() {
                                return isShutdown();
                            }
                        }),
                pool(
                        "calls terminated twice",
                        new HooksTest()::terminated_poolEnds_isCalledOnceBeforeAnyoneIsTold,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void terminated() {
                                super.terminated();
                                super.terminated();
                            }
                        }),
                pool(
                        "does not call terminated",
                        new HooksTest()::terminated_poolNeverUsed_isCalledByShutdown,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected void terminated() {}
                        }));
    }

    /** Closeable on every JDK: from 19 on this overrides the method of the executor. */
    private static class ClosedOtherwise extends HookedPool implements AutoCloseable {

        ClosedOtherwise(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void close() {
            shutdown();
        }
    }

    private static Stream<Wrong> waits() {
        return Stream.of(
                pool(
                        "does not wake its idle workers at shutdown",
                        SHUTDOWN::shutdown_idleWorkers_leave,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void shutdown() {}
                        }),
                pool(
                        "does not interrupt at shutdownNow",
                        new InterruptsTest()::shutdownNow_tasksRunning_interruptsEveryOne,
                        NeverInterrupting::new),
                pool(
                        "does not interrupt the task that calls shutdownNow",
                        SHUTDOWN::shutdownNow_byAnOwnTask_interruptsThatTask,
                        NeverInterrupting::new),
                pool(
                        "swallows the interrupt of one who awaits its end",
                        new InterruptsTest()::awaitTermination_callerInterrupted_throws,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean awaitTermination(long timeout, TimeUnit unit) {
                                try {
                                    return super.awaitTermination(timeout, unit);
                                } catch (InterruptedException e) {
                                    return false;
                                }
                            }
                        }),
                pool(
                        "lets only one await its end",
                        SHUTDOWN::awaitTermination_manyWaiting_allAreReleased,
                        spec -> new HookedPool(spec) {
                            private final Semaphore lock = new Semaphore(1);

                            @Override
                            public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
                                return lock.tryAcquire() && super.awaitTermination(timeout, unit);
                            }
                        }),
                pool(
                        "does not wait for its end in close",
                        SHUTDOWN::close_tasksWaiting_returnsWhenTheyHaveRun,
                        ClosedOtherwise::new),
                pool(
                        "cannot be interrupted in close",
                        SHUTDOWN::close_callerInterrupted_shutsDownNowAndKeepsTheInterrupt,
                        spec -> new ClosedOtherwise(spec) {
                            @Override
                            public void close() {
                                shutdown();
                                while (!isTerminated()) {
                                    Thread.onSpinWait();
                                }
                            }
                        }));
    }

    private static final class NeverInterrupting extends HookedPool {

        NeverInterrupting(PoolSpec spec) {
            super(spec);
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = new ArrayList<>();
            getQueue().drainTo(tasks);
            super.shutdown();
            return tasks;
        }
    }

    private static Stream<Wrong> descriptions() {
        return Stream.of(
                pool(
                        "describes itself in its own words",
                        new DescriptionTest()::toString_throughALife_isFormattedAsTheJdkFormatsIt,
                        spec -> new HookedPool(spec) {
                            @Override
                            public String toString() {
                                return "pool " + super.toString();
                            }
                        }),
                pool(
                        "counts a task as completed when it starts",
                        new DescriptionTest()::counters_throughALife_countAsTheJdkCounts,
                        spec -> new HookedPool(spec) {
                            @Override
                            public long getCompletedTaskCount() {
                                return super.getCompletedTaskCount() + getActiveCount();
                            }
                        }),
                pool(
                        "is equal to another of the same size",
                        new DescriptionTest()::equals_twoPools_goesByIdentity,
                        spec -> new HookedPool(spec) {
                            @Override
                            public boolean equals(Object other) {
                                return other instanceof HookedPool;
                            }

                            @Override
                            public int hashCode() {
                                return 1;
                            }
                        }));
    }
}
