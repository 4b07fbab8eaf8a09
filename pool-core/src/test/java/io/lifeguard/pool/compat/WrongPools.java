package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.after;
import static io.lifeguard.pool.compat.Wrong.arguments;
import static io.lifeguard.pool.compat.Wrong.before;
import static io.lifeguard.pool.compat.Wrong.execute;
import static io.lifeguard.pool.compat.Wrong.factory;
import static io.lifeguard.pool.compat.Wrong.handler;
import static io.lifeguard.pool.compat.Wrong.pool;
import static io.lifeguard.pool.compat.Wrong.setUp;
import static io.lifeguard.pool.compat.Wrong.swallow;
import static io.lifeguard.pool.compat.Wrong.together;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Pools with a fault that fits into one step, or into one of the classes of {@link WrongSubclasses}. */
final class WrongPools {

    private static final ArgumentsTest ARGUMENTS = new ArgumentsTest();
    private static final DescriptionTest DESCRIPTION = new DescriptionTest();
    private static final FailuresTest FAILURES = new FailuresTest();
    private static final GrowthTest GROWTH = new GrowthTest();
    private static final HooksTest HOOKS = new HooksTest();
    private static final IdentityTest IDENTITY = new IdentityTest();
    private static final InterruptsTest INTERRUPTS = new InterruptsTest();
    private static final KeepAliveTest KEEP_ALIVE = new KeepAliveTest();
    private static final LocksTest LOCKS = new LocksTest();
    private static final RejectionTest REJECTION = new RejectionTest();
    private static final RetentionTest RETENTION = new RetentionTest();
    private static final ShutdownTest SHUTDOWN = new ShutdownTest();
    private static final SubmissionTest SUBMISSION = new SubmissionTest();
    private static final ThreadsTest THREADS = new ThreadsTest();

    private static final AtomicInteger TASKS = new AtomicInteger();

    /** Keeps pools and tasks, as a careless registry or monitor does. */
    private static final List<Object> KEPT_FOREVER = new CopyOnWriteArrayList<>();

    private WrongPools() {}

    static Stream<Wrong> all() {
        return together(
                settings(), objects(), threads(), runs(), locks(), results(), rejections(), ends(), retention());
    }

    private static Stream<Wrong> settings() {
        return together(
                arguments(
                        "silently corrects wrong numbers",
                        spec -> Specs.withSizes(
                                        spec,
                                        Math.max(0, spec.core()),
                                        Math.max(1, Math.max(spec.core(), spec.maximum())))
                                .keepAlive(Math.max(0, spec.keepAlive()), spec.unit()),
                        ARGUMENTS::constructor_negativeCore_isRefused,
                        ARGUMENTS::constructor_maximumBelowOne_isRefused,
                        ARGUMENTS::constructor_maximumBelowCore_isRefused,
                        ARGUMENTS::constructor_negativeKeepAlive_isRefused),
                arguments(
                        "uses a queue of its own",
                        spec -> Specs.withQueue(spec, new LinkedBlockingQueue<>()),
                        IDENTITY::getQueue_anyConstructor_isTheQueueThatWasPassed,
                        IDENTITY::getQueue_anyKindOfQueue_isTheQueueThatWasPassed),
                setUp(
                        "wraps the handler and the thread factory that it is given",
                        pool -> {
                            pool.setRejectedExecutionHandler(pool.getRejectedExecutionHandler()::rejectedExecution);
                            pool.setThreadFactory(pool.getThreadFactory()::newThread);
                        },
                        IDENTITY::getRejectedExecutionHandler_handlerGiven_isThatHandler,
                        IDENTITY::getRejectedExecutionHandler_noneGiven_isTheAbortPolicy,
                        IDENTITY::getThreadFactory_factoryGiven_isThatFactory),
                pool(
                        "corrects and wraps later settings, and describes itself in its own way",
                        WrongSubclasses.OwnSettings::new,
                        ARGUMENTS::setCorePoolSize_wrongNumber_isRefusedAndChangesNothing,
                        ARGUMENTS::setMaximumPoolSize_wrongNumber_isRefusedAndChangesNothing,
                        ARGUMENTS::setKeepAliveTime_anyUnit_isKeptExactly,
                        ARGUMENTS::setKeepAliveTime_wrongTime_isRefusedAndChangesNothing,
                        ARGUMENTS::allowCoreThreadTimeOut_noKeepAlive_isRefused,
                        ARGUMENTS::setters_null_areRefusedAndChangeNothing,
                        IDENTITY::setRejectedExecutionHandler_anotherHandler_isReturnedAndUsedFromThenOn,
                        IDENTITY::setThreadFactory_anotherFactory_isReturnedAndUsedFromThenOn,
                        DESCRIPTION::toString_throughALife_isFormattedAsTheJdkFormatsIt,
                        DESCRIPTION::counters_throughALife_countAsTheJdkCounts),
                pool(
                        "ignores later settings",
                        WrongSubclasses.IgnoredSetters::new,
                        GROWTH::setCorePoolSize_raisedWithBacklog_startsThreadsForIt,
                        GROWTH::setMaximumPoolSize_lowered_idleWorkersAboveItLeaveAtOnce,
                        KEEP_ALIVE::coreWorkers_timeOutAllowed_leaveAndComeBack,
                        KEEP_ALIVE::setKeepAliveTime_shortened_appliesToWorkersIdleAlready,
                        RETENTION::pool_timedOutDroppedWithoutShutdown_isCollected));
    }

    private static Stream<Wrong> objects() {
        return together(
                execute(
                        "wraps every task",
                        (pool, task, callSuper) -> callSuper.accept(new WrappedTask(Objects.requireNonNull(task))),
                        IDENTITY::getQueue_tasksExecuted_holdsThoseTasks,
                        IDENTITY::getQueue_tasksSubmitted_holdsTheReturnedFutures,
                        IDENTITY::execute_priorityQueue_runsComparableTasksInTheirOrder,
                        IDENTITY::execute_userSubclassOfQueue_offersItTheTask,
                        IDENTITY::remove_queuedTask_takesItOutUnrun,
                        IDENTITY::purge_someFuturesCancelled_dropsExactlyThose,
                        IDENTITY::shutdownNow_tasksWaiting_returnsThoseTasksInOrder,
                        IDENTITY::hooks_tasksExecuted_seeThoseTasks,
                        IDENTITY::handler_poolFull_seesTheTaskAndThePool),
                pool(
                        "keeps times in a map keyed by task",
                        WrongSubclasses.TimesByTask::new,
                        SUBMISSION::execute_sameTaskManyTimes_runsAsManyTimesAlsoAtOnce,
                        IDENTITY::getQueue_taskAddedByHand_isRunAndSeenByTheHooks,
                        RETENTION::execute_taskRejected_isNotRetained,
                        RETENTION::remove_taskTakenOut_isNotRetained,
                        RETENTION::purge_futureCancelled_isNotRetained,
                        RETENTION::shutdownNow_tasksReturned_areNotRetained),
                pool(
                        "removes by identity, all at once, and always returns true",
                        WrongSubclasses.OwnTasks::new,
                        IDENTITY::remove_taskQueuedTwice_takesOneOut,
                        IDENTITY::remove_equalTask_goesByEquals,
                        IDENTITY::remove_taskThatIsNotQueued_isFalse),
                pool(
                        "makes futures without newTaskFor",
                        WrongSubclasses.OwnTasks::new,
                        HOOKS::newTaskFor_overriddenWithSuper_itsResultIsUsedEverywhere,
                        HOOKS::newTaskFor_overriddenWithoutSuper_itsResultIsUsedEverywhere));
    }

    private static Stream<Wrong> threads() {
        return together(
                setUp(
                        "starts its threads early",
                        pool -> pool.prestartAllCoreThreads(),
                        GROWTH::constructor_nothingExecuted_startsNoThread,
                        GROWTH::getters_nothingExecuted_startNoThread),
                execute(
                        "reuses idle workers before it has its core",
                        (pool, task, callSuper) -> {
                            if (pool.getPoolSize() > pool.getActiveCount()) {
                                pool.getQueue().add(task);
                            } else {
                                callSuper.accept(task);
                            }
                        },
                        GROWTH::execute_idleWorkersBelowCore_startsAnotherAllTheSame),
                execute(
                        "enqueues without looking whether workers have left",
                        (pool, task, callSuper) -> {
                            if (pool.getLargestPoolSize() < pool.getCorePoolSize()) {
                                callSuper.accept(task);
                            } else {
                                pool.getQueue().add(task);
                            }
                        },
                        GROWTH::execute_coreZero_startsOneWorkerForTheQueue,
                        KEEP_ALIVE::execute_coreWorkersAlwaysAboutToLeave_everyTaskRuns),
                arguments(
                        "grows to its maximum before it queues",
                        spec -> Specs.withSizes(spec, spec.maximum(), spec.maximum()),
                        GROWTH::execute_coreBusy_fillsTheQueueBeforeItGrows,
                        GROWTH::execute_unboundedQueue_neverGrowsBeyondCore),
                setUp(
                        "keeps idle workers for an hour",
                        pool -> pool.setKeepAliveTime(1, TimeUnit.HOURS),
                        KEEP_ALIVE::idleWorkers_keepAliveOver_leaveDownToCore,
                        IDENTITY::getKeepAliveTime_anyConstructor_isTheTimeThatWasPassed),
                before(
                        "changes its workers' names and class loaders",
                        (pool, task, callSuper) -> {
                            Thread worker = Thread.currentThread();
                            worker.setName("lifeguard-" + worker.getName());
                            worker.setContextClassLoader(WrongPools.class.getClassLoader());
                            callSuper.accept(task);
                        },
                        THREADS::defaultFactory_threeWorkers_areNamedAsTheJdkNamesThem,
                        THREADS::defaultFactory_workerRanManyTasks_isStillNamedTheSame,
                        THREADS::userFactory_threadMade_isLeftAsItIs),
                factory(
                        "calls the thread factory for a spare thread",
                        (given, body) -> {
                            given.newThread(() -> {});
                            return given.newThread(body);
                        },
                        THREADS::userFactory_workersStarted_isAskedOncePerWorker));
    }

    private static Stream<Wrong> runs() {
        return together(
                after(
                        "swallows the interrupt that a task leaves",
                        (task, thrown, callSuper) -> {
                            Thread.interrupted();
                            callSuper.accept(task, thrown);
                        },
                        INTERRUPTS::task_interruptsItself_afterExecuteSeesTheInterrupt),
                pool(
                        "interrupts on cancel when it must not, and only then",
                        WrongSubclasses.WrongInterrupts::new,
                        INTERRUPTS::cancel_mayNotInterrupt_leavesTheRunningTaskAlone,
                        INTERRUPTS::cancel_mayInterrupt_interruptsTheRunningTaskOnly),
                execute(
                        "swallows exceptions",
                        (pool, task, callSuper) -> callSuper.accept(() -> {
                            try {
                                task.run();
                            } catch (Throwable e) {
                                swallow(e);
                            }
                        }),
                        FAILURES::execute_taskThrows_reachesTheUncaughtHandlerItself,
                        HOOKS::afterExecute_taskThrows_getsThatVeryThrowable),
                after(
                        "passes the exception inside a future to afterExecute",
                        (task, thrown, callSuper) -> callSuper.accept(task, new IllegalStateException()),
                        HOOKS::afterExecute_submittedTaskThrows_getsNullAndTheDoneFuture),
                after(
                        "asks futures for their result in afterExecute",
                        (task, thrown, callSuper) -> {
                            if (task instanceof Future<?> future) {
                                try {
                                    future.get();
                                } catch (InterruptedException | ExecutionException e) {
                                    swallow(e);
                                }
                            }
                            callSuper.accept(task, thrown);
                        },
                        HOOKS::execute_futureThatItsRunLeavesIncomplete_isNotAskedAndTheWorkerGoesOn),
                execute(
                        "takes a task only once while it is queued",
                        (pool, task, callSuper) -> {
                            if (!pool.getQueue().contains(task)) {
                                callSuper.accept(task);
                            }
                        },
                        SUBMISSION::execute_sameInstanceTwice_isQueuedAndRunTwice),
                after(
                        "does not call afterExecute",
                        (task, thrown, callSuper) -> {},
                        HOOKS::hooks_taskExecuted_surroundItOnItsWorker),
                before(
                        "catches exceptions of beforeExecute",
                        (pool, task, callSuper) -> {
                            try {
                                callSuper.accept(task);
                            } catch (RuntimeException e) {
                                swallow(e);
                            }
                        },
                        HOOKS::beforeExecute_throws_taskIsSkippedAndTheWorkerReplaced));
    }

    private static Stream<Wrong> locks() {
        return together(
                execute(
                        "holds its monitor across execute",
                        (pool, task, callSuper) -> {
                            synchronized (pool) {
                                callSuper.accept(task);
                            }
                        },
                        LOCKS::execute_factoryBlocks_othersUseThePool,
                        LOCKS::execute_handlerBlocks_othersUseThePool,
                        LOCKS::execute_callerRunsALongTask_othersUseThePool,
                        LOCKS::execute_offerOfTheQueueBlocks_othersUseThePool,
                        LOCKS::monitorOfThePool_heldByAUser_disturbsNoThread),
                execute(
                        "holds its monitor while a task runs",
                        (pool, task, callSuper) -> {
                            synchronized (pool) {
                                callSuper.accept(() -> {
                                    synchronized (pool) {
                                        task.run();
                                    }
                                });
                            }
                        },
                        LOCKS::execute_taskBlocks_othersUseThePool,
                        LOCKS::execute_taskWaitsForAThreadThatExecutes_isNotHeldUp),
                pool(
                        "holds a lock across submit, execute and its hooks",
                        WrongSubclasses.OneLock::new,
                        LOCKS::submit_newTaskForBlocks_othersUseThePool,
                        LOCKS::execute_hooksBlock_othersUseThePool,
                        HOOKS::hooks_useTheirPool_areNotHeldUp,
                        THREADS::userFactory_executesOnItsPool_isNotHeldUp));
    }

    private static Stream<Wrong> results() {
        return together(
                before(
                        "sometimes runs a task twice",
                        (pool, task, callSuper) -> {
                            callSuper.accept(task);
                            if (TASKS.incrementAndGet() % 100 == 0) {
                                task.run();
                            }
                        },
                        SUBMISSION::execute_fromManyThreads_everyTaskRunsOnce),
                pool(
                        "loses results",
                        WrongSubclasses.OwnTasks::new,
                        SUBMISSION::submit_taskReturns_futureHoldsItsResult,
                        SUBMISSION::cancel_taskQueued_itNeverRunsAndStaysQueued),
                pool(
                        "has an invokeAll of its own",
                        WrongSubclasses.OwnTasks::new,
                        ARGUMENTS::invokeAll_nullElement_isRefused,
                        SUBMISSION::invokeAll_tasksReturnAndThrow_allFuturesAreDoneInOrder,
                        SUBMISSION::invokeAll_timeOver_cancelsWhatIsNotDone));
    }

    private static Stream<Wrong> rejections() {
        return together(
                handler(
                        "changes the rejection message",
                        (given, task, pool) -> {
                            throw new RejectedExecutionException("Task " + task + " rejected by " + pool);
                        },
                        REJECTION::abortPolicy_poolFull_throwsTheJdksMessage,
                        REJECTION::abortPolicy_poolShutDown_throwsTheJdksMessage),
                handler(
                        "runs every rejected task itself, and keeps its exceptions",
                        (given, task, pool) -> {
                            try {
                                task.run();
                            } catch (Throwable e) {
                                swallow(e);
                            }
                        },
                        REJECTION::callerRunsPolicy_taskThrows_callerGetsThatVeryException,
                        REJECTION::callerRunsPolicy_poolShutDown_dropsTheTask,
                        REJECTION::discardPolicy_poolFull_dropsTheTaskInSilence,
                        REJECTION::discardOldestPolicy_poolFull_dropsTheHeadAndQueuesTheTask,
                        REJECTION::userHandler_throws_submitterGetsThatVeryException),
                handler(
                        "calls the handler twice",
                        (given, task, pool) -> {
                            given.rejectedExecution(task, pool);
                            given.rejectedExecution(task, pool);
                        },
                        REJECTION::userHandler_poolFull_isCalledOnceByTheSubmitter),
                execute(
                        "drops tasks in silence after shutdown",
                        (pool, task, callSuper) -> {
                            if (!pool.isShutdown()) {
                                callSuper.accept(task);
                            }
                        },
                        REJECTION::userHandler_poolShutDown_isCalledToo,
                        SHUTDOWN::shutdown_executeAfterwards_isRejectedAndNotQueued),
                execute(
                        "strands a rejected task in its queue",
                        (pool, task, callSuper) -> {
                            try {
                                callSuper.accept(task);
                            } catch (RejectedExecutionException e) {
                                pool.getQueue().add(task);
                                throw e;
                            }
                        },
                        REJECTION::execute_rejected_leavesNoTrace,
                        SHUTDOWN::shutdown_executeAfterwards_isRejectedAndNotQueued));
    }

    private static Stream<Wrong> ends() {
        return together(
                pool(
                        "never interrupts",
                        WrongSubclasses.NeverInterrupting::new,
                        INTERRUPTS::shutdownNow_tasksRunning_interruptsEveryOne,
                        INTERRUPTS::shutdownNow_calledAgain_interruptsAgain,
                        SHUTDOWN::shutdownNow_byAnOwnTask_interruptsThatTask,
                        SHUTDOWN::shutdownNow_afterShutdown_returnsWhatIsLeftAndInterrupts),
                pool(
                        "drops and interrupts everything at shutdown",
                        WrongSubclasses.ShutdownNowAlways::new,
                        INTERRUPTS::shutdown_taskRunning_isNotInterrupted,
                        SHUTDOWN::shutdown_tasksWaiting_theyStillRun,
                        SHUTDOWN::shutdownNow_futuresWaiting_areNeitherDoneNorCancelled),
                pool(
                        "does not shut down, and reports that it has terminated",
                        WrongSubclasses.OwnEnd::new,
                        SHUTDOWN::shutdown_idleWorkers_leave,
                        SHUTDOWN::state_throughALife_changesAsItDoesInTheJdk,
                        INTERRUPTS::awaitTermination_callerInterrupted_throws),
                pool(
                        "does not call terminated",
                        WrongSubclasses.OwnEnd::new,
                        HOOKS::terminated_poolEnds_isCalledOnceBeforeThePoolIsTerminated,
                        HOOKS::terminated_poolNeverUsed_isCalledByShutdown),
                pool(
                        "does not wait for its end in close",
                        WrongSubclasses.OwnEnd::new,
                        SHUTDOWN::close_tasksWaiting_returnsWhenTheyHaveRun,
                        SHUTDOWN::close_callerInterrupted_shutsDownNowAndKeepsTheInterrupt));
    }

    private static Stream<Wrong> retention() {
        return together(
                before(
                        "retains each worker and each task",
                        (pool, task, callSuper) -> {
                            KEPT_FOREVER.add(Thread.currentThread());
                            KEPT_FOREVER.add(task);
                            callSuper.accept(task);
                        },
                        RETENTION::execute_taskFinished_isNotRetained,
                        RETENTION::execute_firstTaskOfItsWorkerFinished_isNotRetained,
                        RETENTION::execute_taskThrew_neitherItNorItsExceptionIsRetained,
                        RETENTION::submit_taskFinished_itsFutureIsNotRetained,
                        RETENTION::worker_timedOut_itsThreadIsNotRetained,
                        RETENTION::pool_ranTasksOfAnotherLoader_doesNotPinThatLoader),
                setUp(
                        "is registered forever",
                        KEPT_FOREVER::add,
                        RETENTION::pool_droppedUnused_isCollected,
                        RETENTION::pool_coreZeroDroppedWithoutShutdown_isCollected,
                        RETENTION::pool_shutDownAndDropped_isCollected,
                        RETENTION::pool_droppedWithFactoryOfAnotherLoader_doesNotPinThatLoader));
    }
}
