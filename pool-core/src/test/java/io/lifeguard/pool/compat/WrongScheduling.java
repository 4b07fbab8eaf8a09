package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.scheduled;
import static io.lifeguard.pool.compat.Wrong.swallow;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scheduled pools with a fault. */
final class WrongScheduling {

    private static final ScheduleTest WHEN = new ScheduleTest();
    private static final ScheduledIdentityTest IDENTITY = new ScheduledIdentityTest();
    private static final ScheduledLifeTest LIFE = new ScheduledLifeTest();
    private static final ScheduledRetentionTest RETENTION = new ScheduledRetentionTest();

    private static final List<ScheduledThreadPoolExecutor> KEPT_FOR_EVER = new CopyOnWriteArrayList<>();

    private WrongScheduling() {}

    static Stream<Wrong> all() {
        return Stream.of(objects(), times(), lives()).flatMap(faults -> faults);
    }

    /** Decorates each task once more, after what a subclass has made of it. */
    private static final class Decorating extends HookedScheduledPool {

        Decorating(ScheduledSpec spec) {
            super(spec);
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Runnable task, RunnableScheduledFuture<V> future) {
            return new DecoratedFuture<>(super.decorateTask(task, future));
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Callable<V> task, RunnableScheduledFuture<V> future) {
            return new DecoratedFuture<>(super.decorateTask(task, future));
        }
    }

    private static Stream<Wrong> objects() {
        return Stream.of(
                scheduled(
                        "decorates tasks, which leak on cancel",
                        LIFE::cancel_removeOnCancel_queueEmpties,
                        Decorating::new),
                scheduled(
                        "decorates tasks, which leak on cancel in a subclass",
                        LIFE::cancel_removeOnCancelAndSubclass_queueEmptiesToo,
                        Decorating::new),
                scheduled(
                        "decorates what a subclass has made",
                        IDENTITY::decorateTask_overriddenWithSuper_itsResultIsUsedEverywhere,
                        Decorating::new),
                scheduled(
                        "wraps what is scheduled",
                        IDENTITY::decorateTask_returnsADecorator_itIsUsedEverywhere,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                                return super.schedule(new WrappedTask(task), delay, unit);
                            }
                        }),
                scheduled(
                        "wraps what is executed",
                        IDENTITY::schedule_overridden_executeAndSubmitPassThroughIt,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                super.execute(new WrappedTask(task));
                            }
                        }),
                scheduled(
                        "shows its hooks a wrapper",
                        IDENTITY::hooks_tasksRun_seeTheReturnedFutures,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            protected void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, new WrappedTask(task));
                            }
                        }),
                scheduled(
                        "returns wrappers from shutdownNow",
                        IDENTITY::shutdownNow_tasksScheduled_returnsTheirFutures,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public List<Runnable> shutdownNow() {
                                List<Runnable> tasks = super.shutdownNow();
                                tasks.replaceAll(WrappedTask::new);
                                return tasks;
                            }
                        }),
                scheduled(
                        "returns another future than it queues",
                        IDENTITY::getQueue_tasksScheduled_holdsTheReturnedFutures,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                                return new DecoratedFuture<>(
                                        (RunnableScheduledFuture<?>) super.schedule(task, delay, unit));
                            }
                        }),
                scheduled(
                        "silently corrects a negative core",
                        IDENTITY::constructor_wrongArgument_isRefused,
                        spec -> new HookedScheduledPool(new ScheduledSpec(Math.max(0, spec.core())))),
                scheduled(
                        "changes the keep-alive",
                        IDENTITY::constructor_anyArguments_hasTheJdksSettings,
                        spec -> new HookedScheduledPool(spec) {
                            {
                                super.setKeepAliveTime(1, TimeUnit.SECONDS);
                            }
                        }),
                scheduled(
                        "starts its threads early",
                        IDENTITY::constructor_anyArguments_hasTheJdksSettings,
                        spec -> new HookedScheduledPool(spec) {
                            {
                                super.prestartAllCoreThreads();
                            }
                        }));
    }

    private static Stream<Wrong> times() {
        return Stream.of(
                scheduled(
                        "runs tasks too early",
                        WHEN::schedule_delayGiven_runsOnceAndNotBefore,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
                                return super.schedule(task, delay / 20, unit);
                            }
                        }),
                scheduled(
                        "refuses a negative delay",
                        WHEN::schedule_noOrNegativeDelay_runsAtOnce,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
                                if (delay < 0) {
                                    throw new IllegalArgumentException();
                                }
                                return super.schedule(task, delay, unit);
                            }
                        }),
                scheduled(
                        "silently corrects a period",
                        WHEN::schedule_nullOrNoPeriod_isRefused,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> scheduleAtFixedRate(
                                    Runnable task, long initialDelay, long period, TimeUnit unit) {
                                return super.scheduleAtFixedRate(task, initialDelay, Math.max(1, period), unit);
                            }
                        }),
                scheduled(
                        "takes a rate for a delay",
                        WHEN::scheduleAtFixedRate_runTakesLong_nextOnesAreDueAsIfItHadNot,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> scheduleAtFixedRate(
                                    Runnable task, long initialDelay, long period, TimeUnit unit) {
                                return super.scheduleWithFixedDelay(task, initialDelay, period, unit);
                            }
                        }),
                scheduled(
                        "takes a delay for a rate",
                        WHEN::scheduleWithFixedDelay_runTakesLong_nextOneWaitsForItsEnd,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> scheduleWithFixedDelay(
                                    Runnable task, long initialDelay, long delay, TimeUnit unit) {
                                return super.scheduleAtFixedRate(task, initialDelay, delay, unit);
                            }
                        }),
                scheduled(
                        "ignores the initial delay",
                        WHEN::schedulePeriodically_initialDelay_isKept,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> scheduleAtFixedRate(
                                    Runnable task, long initialDelay, long period, TimeUnit unit) {
                                return super.scheduleAtFixedRate(task, 0, period, unit);
                            }
                        }),
                scheduled(
                        "repeats a task that threw",
                        LIFE::periodicTask_throws_endsWithThatExceptionAndIsNotRepeated,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public ScheduledFuture<?> scheduleAtFixedRate(
                                    Runnable task, long initialDelay, long period, TimeUnit unit) {
                                Runnable guarded = () -> {
                                    try {
                                        task.run();
                                    } catch (RuntimeException e) {
                                        swallow(e);
                                    }
                                };
                                return super.scheduleAtFixedRate(guarded, initialDelay, period, unit);
                            }
                        }));
    }

    private static Stream<Wrong> lives() {
        return Stream.of(
                scheduled(
                        "removes on cancel unasked",
                        LIFE::cancel_defaultPolicy_taskStaysQueuedAndNeverRuns,
                        spec -> new HookedScheduledPool(spec) {
                            {
                                super.setRemoveOnCancelPolicy(true);
                            }
                        }),
                scheduled(
                        "cancels delayed tasks at shutdown",
                        LIFE::shutdown_defaultPolicies_delayedTasksRunAndPeriodicOnesAreCancelled,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void shutdown() {
                                super.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
                                super.shutdown();
                            }
                        }),
                scheduled(
                        "repeats tasks after shutdown",
                        LIFE::shutdown_defaultPolicies_delayedTasksRunAndPeriodicOnesAreCancelled,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void shutdown() {
                                super.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);
                                super.shutdown();
                            }
                        }),
                scheduled(
                        "stops repeating at shutdown though it was told to go on",
                        LIFE::shutdown_periodicTasksWanted_theyGoOnUntilThePolicyChanges,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void shutdown() {
                                super.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
                                super.shutdown();
                            }
                        }),
                scheduled(
                        "drops in silence what is scheduled after shutdown",
                        LIFE::shutdown_scheduleAfterwards_isRejected,
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!isShutdown()) {
                                    super.execute(task);
                                }
                            }
                        }),
                scheduled(
                        "does not start a worker before a task is due",
                        LIFE::schedule_firstTask_startsOneWorkerThoughItIsNotDue,
                        spec -> new HookedScheduledPool(spec) {
                            {
                                super.setThreadFactory(work -> null);
                            }
                        }),
                scheduled(
                        "retains the futures that it made",
                        RETENTION::cancel_removeOnCancel_taskIsNotRetained,
                        spec -> new HookedScheduledPool(spec) {
                            private final List<ScheduledFuture<?>> made = new CopyOnWriteArrayList<>();

                            @Override
                            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                                ScheduledFuture<?> future = super.schedule(task, delay, unit);
                                made.add(future);
                                return future;
                            }
                        }),
                scheduled(
                        "is registered for ever", RETENTION::pool_coreZeroDroppedWithoutShutdown_isCollected, spec -> {
                            HookedScheduledPool pool = new HookedScheduledPool(spec);
                            KEPT_FOR_EVER.add(pool);
                            return pool;
                        }));
    }
}
