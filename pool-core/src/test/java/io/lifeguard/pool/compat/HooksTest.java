package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hooks of a subclass see each task, and need not call {@code super}. */
class HooksTest {

    @EveryPool
    void hooks_taskExecuted_surroundItOnItsWorker(PoolFixture pools) {
        List<String> events = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                callSuper.run();
                threads.add(worker);
                threads.add(Thread.currentThread());
                events.add("before");
            }

            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                threads.add(Thread.currentThread());
                events.add("after");
                callSuper.run();
            }
        }));
        pool.execute(() -> events.add("run"));
        pool.execute(() -> events.add("run"));
        pools.eventually("all events", () -> events.size() == 6);
        assertThat(events).containsExactly("before", "run", "after", "before", "run", "after");
        assertThat(threads).hasSize(6).containsOnly(factory.made.get(0));
    }

    /** Only users ask a future. A pool that asks one whose run leaves it incomplete waits forever. */
    @EveryPool
    void execute_futureThatItsRunLeavesIncomplete_isNotAskedAndTheWorkerGoesOn(PoolFixture pools) {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1));
        IncompleteFuture future = new IncompleteFuture();
        pool.execute(future);
        pool.execute(future);
        CountDownLatch next = new CountDownLatch(1);
        pool.execute(next::countDown);
        pools.await("next task", next);
        assertThat(future.runs).hasValue(2);
        assertThat(future.asked).hasValue(0);
    }

    /** A future of the user's own. Its run does not complete it. */
    private static final class IncompleteFuture implements RunnableFuture<Void> {
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger asked = new AtomicInteger();
        private final CountDownLatch never = new CountDownLatch(1);

        @Override
        public void run() {
            runs.incrementAndGet();
        }

        @Override
        public @Nullable Void get() throws InterruptedException {
            asked.incrementAndGet();
            never.await();
            return null;
        }

        @Override
        public @Nullable Void get(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException {
            asked.incrementAndGet();
            if (!never.await(timeout, unit)) {
                throw new TimeoutException();
            }
            return null;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return false;
        }
    }

    @EveryPool
    void hooks_superNeverCalled_poolWorksAndCountsAllTheSame(PoolFixture pools) {
        CountDownLatch ended = new CountDownLatch(1);
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {}

            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {}

            @Override
            void terminated(Runnable callSuper) {
                ended.countDown();
            }
        }));
        HeldTask held = pools.occupy(pool);
        assertThat(pool.getActiveCount()).isEqualTo(1);
        pool.execute(() -> {});
        assertThat(pool.getTaskCount()).isEqualTo(2);
        held.release();
        pools.eventually("both counted", () -> pool.getCompletedTaskCount() == 2);
        pools.eventually("idle", () -> pool.getActiveCount() == 0);
        pool.shutdown();
        pools.await("terminated()", ended);
        pools.eventually("terminated", pool::isTerminated);
    }

    @EveryPool
    void beforeExecute_throws_taskIsSkippedAndTheWorkerReplaced(PoolFixture pools) {
        IllegalStateException problem = new IllegalStateException("from beforeExecute");
        AtomicInteger calls = new AtomicInteger();
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                super.beforeExecute(worker, task, callSuper);
                if (calls.incrementAndGet() == 1) {
                    throw problem;
                }
            }
        };
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory).hooks(hooks));
        AtomicInteger runs = new AtomicInteger();
        pool.execute(runs::incrementAndGet);
        pools.eventually("uncaught exception", () -> factory.uncaught.size() == 1);
        assertThat(factory.uncaught.get(0)).isSameAs(problem);
        HeldTask next = pools.occupy(pool);
        assertThat(next.worker).isNotSameAs(factory.made.get(0));
        assertThat(runs).hasValue(0);
        next.release();
        pools.eventually("afterExecute", () -> hooks.after.size() == 1);
        Same.objects("afterExecute", hooks.after, next);
        pools.eventually("counts", () -> pool.getCompletedTaskCount() == 2);
    }

    @EveryPool
    void afterExecute_taskThrows_getsThatVeryThrowable(PoolFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        ThreadPoolExecutor pool =
                pools.make(pools.spec(1, 1).factory(new RecordingFactory()).hooks(hooks));
        List<Throwable> problems =
                List.of(new IllegalStateException("unchecked"), new Error("error"), new Exception("checked"));
        problems.forEach(problem -> pool.execute(() -> Sneaky.raise(problem)));
        pools.eventually("three calls", () -> hooks.thrown.size() == 3);
        Same.objects("afterExecute", hooks.thrown, problems.toArray());
    }

    @EveryPool
    void afterExecute_taskReturns_getsNull(PoolFixture pools) {
        LoggingHooks hooks = new LoggingHooks();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(hooks));
        pool.execute(() -> {});
        pools.eventually("one call", () -> hooks.thrown.size() == 1);
        assertThat(hooks.thrown).containsExactly("none");
    }

    @EveryPool
    void afterExecute_submittedTaskThrows_getsNullAndTheDoneFuture(PoolFixture pools) {
        IllegalStateException problem = new IllegalStateException();
        List<Object> causes = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                // As the Javadoc of ThreadPoolExecutor.afterExecute recommends.
                if (thrown == null && task instanceof Future<?> future && future.isDone()) {
                    try {
                        future.get();
                    } catch (ExecutionException e) {
                        causes.add(e.getCause());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
        }));
        pool.submit(() -> Sneaky.raise(problem));
        pools.eventually("a cause", () -> !causes.isEmpty());
        Same.objects("causes", causes, problem);
    }

    @EveryPool
    void afterExecute_throws_isCalledAgainWithTheExceptionAndTheWorkerReplaced(PoolFixture pools) {
        IllegalStateException problem = new IllegalStateException("from afterExecute");
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                super.afterExecute(task, thrown, callSuper);
                if (thrown == null && this.thrown.size() == 1) {
                    throw problem;
                }
            }
        };
        RecordingFactory factory = new RecordingFactory();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).factory(factory).hooks(hooks));
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        pools.await("run", ran);
        pools.eventually("uncaught exception", () -> factory.uncaught.size() == 1);
        assertThat(factory.uncaught.get(0)).isSameAs(problem);
        Same.objects("afterExecute", hooks.thrown, "none", problem);
        assertThat(pools.occupy(pool).worker).isNotSameAs(factory.made.get(0));
    }

    @EveryPool
    void hooks_useTheirPool_areNotHeldUp(PoolFixture pools) {
        CountDownLatch ran = new CountDownLatch(2);
        AtomicInteger extra = new AtomicInteger();
        List<ThreadPoolExecutor> owner = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 2).hooks(new Hooks() {
            @Override
            void beforeExecute(Thread worker, Runnable task, Runnable callSuper) {
                ThreadPoolExecutor own = owner.get(0);
                assertThat(own.getActiveCount() + own.getPoolSize()).isEqualTo(2);
                assertThat(own.toString()).isNotEmpty();
                own.setCorePoolSize(1);
            }

            @Override
            void afterExecute(Runnable task, @Nullable Throwable thrown, Runnable callSuper) {
                if (extra.getAndIncrement() == 0) {
                    owner.get(0).execute(ran::countDown);
                }
            }
        }));
        owner.add(pool);
        pool.execute(ran::countDown);
        pools.await("task, and task executed by afterExecute", ran);
    }

    @EveryPool
    void terminated_poolEnds_isCalledOnceBeforeThePoolIsTerminated(PoolFixture pools) {
        AtomicInteger calls = new AtomicInteger();
        Gate gate = pools.gate();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).hooks(new Hooks() {
            @Override
            void terminated(Runnable callSuper) {
                callSuper.run();
                calls.incrementAndGet();
                gate.passUninterruptibly();
            }
        }));
        HeldTask held = pools.occupy(pool);
        pools.occupy(pool);
        pools.thread(
                () -> { // not here: if the workers are quick, terminated() runs on the thread that shuts down
                    pool.shutdown();
                    pool.shutdownNow();
                    held.release();
                });
        pools.await("terminated()", gate.arrived());
        assertThat(pool.isTerminated()).isFalse();
        assertThat(pool.isTerminating()).isTrue();
        assertThat(pool.isShutdown()).isTrue();
        gate.open();
        pools.eventually("terminated", pool::isTerminated);
        pool.shutdown();
        pool.shutdownNow();
        assertThat(calls).hasValue(1);
        assertThat(pool.isTerminating()).isFalse();
    }

    @EveryPool
    void terminated_poolNeverUsed_isCalledByShutdown(PoolFixture pools) {
        List<Thread> callers = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(2, 2).hooks(new Hooks() {
            @Override
            void terminated(Runnable callSuper) {
                callers.add(Thread.currentThread());
            }
        }));
        pool.shutdown();
        assertThat(callers).containsExactly(Thread.currentThread());
        assertThat(pool.isTerminated()).isTrue();
    }

    @EveryPool
    void newTaskFor_overriddenWithSuper_itsResultIsUsedEverywhere(PoolFixture pools) throws Exception {
        List<Object> made = new CopyOnWriteArrayList<>();
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            <T> RunnableFuture<T> newTaskFor(Runnable task, T value, Supplier<RunnableFuture<T>> callSuper) {
                return remember(callSuper.get());
            }

            @Override
            <T> RunnableFuture<T> newTaskFor(Callable<T> task, Supplier<RunnableFuture<T>> callSuper) {
                return remember(callSuper.get());
            }

            private <T> RunnableFuture<T> remember(RunnableFuture<T> future) {
                made.add(future);
                return future;
            }
        };
        madeFuturesAreUsed(pools, hooks, made);
    }

    @EveryPool
    void newTaskFor_overriddenWithoutSuper_itsResultIsUsedEverywhere(PoolFixture pools) throws Exception {
        List<Object> made = new CopyOnWriteArrayList<>();
        LoggingHooks hooks = new LoggingHooks() {
            @Override
            <T> RunnableFuture<T> newTaskFor(Runnable task, T value, Supplier<RunnableFuture<T>> callSuper) {
                return remember(new FutureTask<>(task, value));
            }

            @Override
            <T> RunnableFuture<T> newTaskFor(Callable<T> task, Supplier<RunnableFuture<T>> callSuper) {
                return remember(new FutureTask<>(task));
            }

            private <T> RunnableFuture<T> remember(RunnableFuture<T> future) {
                made.add(future);
                return future;
            }
        };
        madeFuturesAreUsed(pools, hooks, made);
    }

    private static void madeFuturesAreUsed(PoolFixture pools, LoggingHooks hooks, List<Object> made) throws Exception {
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(hooks));
        HeldTask held = pools.occupy(pool);
        Future<?> ofRunnable = pool.submit(() -> {});
        Future<String> ofValue = pool.submit(() -> {}, "value");
        Future<String> ofCallable = pool.submit(() -> "called");
        Same.objects("made by newTaskFor", made, ofRunnable, ofValue, ofCallable);
        Same.objects("queue", pool.getQueue(), ofRunnable, ofValue, ofCallable);
        held.release();
        assertThat(pools.get(ofRunnable)).isNull();
        assertThat(pools.get(ofValue)).isEqualTo("value");
        assertThat(pools.get(ofCallable)).isEqualTo("called");
        Future<String> ofAll =
                pool.invokeAll(List.<Callable<String>>of(() -> "all")).get(0);
        Same.objects("made by newTaskFor", made, ofRunnable, ofValue, ofCallable, ofAll);
        assertThat(pool.invokeAny(List.<Callable<String>>of(() -> "any"))).isEqualTo("any");
        assertThat(made).hasSize(5);
        pools.eventually("hooks", () -> hooks.after.size() == 6);
        assertThat(hooks.before.subList(1, 5)).containsExactly(ofRunnable, ofValue, ofCallable, ofAll);
    }

    @EveryPool
    void execute_overridden_everySubmissionPassesThroughIt(PoolFixture pools) throws Exception {
        List<Object> executed = new CopyOnWriteArrayList<>();
        ThreadPoolExecutor pool = pools.make(pools.spec(1, 1).hooks(new Hooks() {
            @Override
            void execute(Runnable task, Runnable callSuper) {
                executed.add(task);
                callSuper.run();
            }
        }));
        Future<?> ofRunnable = pool.submit(() -> {});
        Future<?> ofValue = pool.submit(() -> {}, "value");
        Future<?> ofCallable = pool.submit(() -> "value");
        Future<String> ofAll =
                pool.invokeAll(List.<Callable<String>>of(() -> "all")).get(0);
        Same.objects("passed through execute", executed, ofRunnable, ofValue, ofCallable, ofAll);
        pool.invokeAny(List.<Callable<String>>of(() -> "any"));
        assertThat(executed).hasSize(5);
    }
}
