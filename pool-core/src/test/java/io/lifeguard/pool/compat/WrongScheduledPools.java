package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.scheduled;
import static io.lifeguard.pool.compat.Wrong.swallow;
import static io.lifeguard.pool.compat.Wrong.together;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Scheduled pools with a fault. */
final class WrongScheduledPools {

    private static final ScheduleTest WHEN = new ScheduleTest();
    private static final ScheduledIdentityTest IDENTITY = new ScheduledIdentityTest();
    private static final ScheduledLifeTest LIFE = new ScheduledLifeTest();
    private static final ScheduledRetentionTest RETENTION = new ScheduledRetentionTest();

    private static final List<Object> KEPT_FOREVER = new CopyOnWriteArrayList<>();

    private WrongScheduledPools() {}

    static Stream<Wrong> all() {
        return together(
                scheduled(
                        "decorates the futures of a subclass once more",
                        Decorating::new,
                        LIFE::cancel_removeOnCancel_queueEmpties,
                        LIFE::cancel_removeOnCancelAndSubclass_queueEmptiesToo,
                        IDENTITY::decorateTask_overriddenWithSuper_itsResultIsUsedEverywhere),
                scheduled(
                        "wraps tasks and futures",
                        Wrapping::new,
                        IDENTITY::getQueue_tasksScheduled_holdsTheReturnedFutures,
                        IDENTITY::decorateTask_returnsADecorator_itIsUsedEverywhere,
                        IDENTITY::schedule_overridden_executeAndSubmitPassThroughIt,
                        IDENTITY::hooks_tasksRun_seeTheReturnedFutures,
                        IDENTITY::shutdownNow_tasksScheduled_returnsTheirFutures),
                scheduled(
                        "has settings of its own",
                        OwnSettings::new,
                        IDENTITY::constructor_wrongArgument_isRefused,
                        IDENTITY::constructor_anyArguments_hasTheJdksSettings,
                        LIFE::cancel_defaultPolicy_taskStaysQueuedAndNeverRuns,
                        LIFE::schedule_firstTask_startsOneWorkerThoughItIsNotDue),
                scheduled(
                        "uses other times than those given",
                        OtherTimes::new,
                        WHEN::schedule_delayGiven_runsOnceAndNotBefore,
                        WHEN::schedule_noOrNegativeDelay_runsAtOnce,
                        WHEN::schedule_nullOrNoPeriod_isRefused,
                        WHEN::scheduleAtFixedRate_runTakesLong_nextOnesAreDueAsIfItHadNot,
                        WHEN::scheduleWithFixedDelay_runTakesLong_nextOneWaitsForItsEnd,
                        WHEN::schedulePeriodically_initialDelay_isKept,
                        LIFE::periodicTask_throws_endsWithThatExceptionAndIsNotRepeated),
                scheduled(
                        "silently drops tasks that are scheduled after shutdown",
                        spec -> new HookedScheduledPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (!isShutdown()) {
                                    super.execute(task);
                                }
                            }
                        },
                        LIFE::shutdown_scheduleAfterwards_isRejected),
                scheduled(
                        "is registered forever with its futures",
                        Retaining::new,
                        RETENTION::cancel_removeOnCancel_taskIsNotRetained,
                        RETENTION::pool_coreZeroDroppedWithoutShutdown_isCollected));
    }

    /** Decorates each task once more, after the decoration of the subclass. */
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

    private static final class Wrapping extends HookedScheduledPool {
        Wrapping(ScheduledSpec spec) {
            super(spec);
        }

        @Override
        public void execute(Runnable task) {
            super.execute(new WrappedTask(task));
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            ScheduledFuture<?> future = super.schedule(new WrappedTask(task), delay, unit);
            return new DecoratedFuture<>((RunnableScheduledFuture<?>) future);
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            super.beforeExecute(worker, new WrappedTask(task));
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> tasks = super.shutdownNow();
            tasks.replaceAll(WrappedTask::new);
            return tasks;
        }
    }

    private static final class OwnSettings extends HookedScheduledPool {
        OwnSettings(ScheduledSpec spec) {
            super(new ScheduledSpec(Math.max(0, spec.core())).hooks(spec.hooks()));
            super.setKeepAliveTime(1, TimeUnit.SECONDS);
            super.setRemoveOnCancelPolicy(true);
            super.setThreadFactory(body -> null);
        }
    }

    private static final class OtherTimes extends HookedScheduledPool {
        OtherTimes(ScheduledSpec spec) {
            super(spec);
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
            if (delay < 0) {
                throw new IllegalArgumentException("delay must be >= 0 (was " + delay + ")");
            }
            return super.schedule(task, delay / 20, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
            Runnable guarded = () -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    swallow(e);
                }
            };
            return super.scheduleWithFixedDelay(guarded, 0, Math.max(1, period), unit);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
            return super.scheduleAtFixedRate(task, initialDelay, delay, unit);
        }
    }

    private static final class Retaining extends HookedScheduledPool {
        Retaining(ScheduledSpec spec) {
            super(spec);
            KEPT_FOREVER.add(this);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            ScheduledFuture<?> future = super.schedule(task, delay, unit);
            KEPT_FOREVER.add(future);
            return future;
        }
    }
}
