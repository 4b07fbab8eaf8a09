package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Executors whose tasks measure themselves, because their workers cannot be followed. */
class SharedPoolsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final ExecutorService stealing =
            fixture.closing(InstrumentedExecutors.newWorkStealingPool("SharedPoolsTest", 2));

    private static PoolSnapshot snapshot(ExecutorService pool) {
        return ((InstrumentedPool) pool).snapshot();
    }

    @Test
    void workStealing_workers_areItsThreads() {
        InstrumentedPool pool = (InstrumentedPool) stealing;
        assertThat(pool.workers()).isEmpty();
        fixture.occupy(stealing);
        fixture.occupy(stealing);

        assertThat(pool.workers()).hasSize(2).allMatch(WorkerState::busy).noneMatch(WorkerState::idle);
        assertThat(pool.workers())
                .extracting(WorkerState::thread)
                .allMatch(thread -> ((ForkJoinWorkerThread) thread).getPool() == stealing);
    }

    @Test
    void workStealing_everyWayToSubmit_isCounted() throws Exception {
        Callable<Integer> task = () -> 42;
        stealing.submit(task).get();
        stealing.submit(() -> {}).get();
        stealing.submit(() -> {}, 1).get();
        stealing.invokeAll(List.of(task, task));
        stealing.invokeAll(List.of(task, task), 1, TimeUnit.MINUTES);
        assertThat(stealing.invokeAny(List.of(task))).isEqualTo(42);
        assertThat(stealing.invokeAny(List.of(task), 1, TimeUnit.MINUTES)).isEqualTo(42);

        fixture.eventually("all counted", () -> snapshot(stealing).completed() == 9);
        assertThat(snapshot(stealing).submitted()).isEqualTo(9);
        assertThat(snapshot(stealing).failed()).isZero();
    }

    @Test
    void workStealing_completableFutures_areMeasured() throws Exception {
        CompletableFuture<Integer> sum = CompletableFuture.supplyAsync(() -> 20, stealing)
                .thenApplyAsync(half -> half + 20, stealing)
                .thenCombineAsync(CompletableFuture.supplyAsync(() -> 2, stealing), Integer::sum, stealing);
        assertThat(fixture.get(sum)).isEqualTo(42);

        fixture.eventually("all counted", () -> snapshot(stealing).completed() == 4);
        assertThat(snapshot(stealing).submitted()).isEqualTo(4);
        assertThat(snapshot(stealing).queueWait().count()).isEqualTo(4);
        assertThat(snapshot(stealing).kinds())
                .extracting(PoolSnapshot.TaskKind::name)
                .anyMatch(name -> name.contains("AsyncSupply"));
    }

    /** The only worker waits for a completion that is still in its queue, and runs it meanwhile, as in the JDK. */
    @Test
    void workStealing_completableFutureWaitsForAnotherOne_isRunMeanwhile() throws Exception {
        ForkJoinPool one = (ForkJoinPool) fixture.closing(InstrumentedExecutors.newWorkStealingPool("one-stealing", 1));
        class Future<T> extends CompletableFuture<T> {
            @Override
            public Executor defaultExecutor() {
                return one;
            }
        }
        CompletableFuture<Thread> outer = CompletableFuture.supplyAsync(
                () -> new Future<Thread>().completeAsync(Thread::currentThread).join(), one);
        assertThat(fixture.get(outer).getName()).contains("ForkJoinPool");
        fixture.eventually("both counted", () -> snapshot(one).completed() == 2);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void workStealing_scheduledTasks_areMeasured() throws Exception {
        ScheduledExecutorService pool = (ScheduledExecutorService) stealing;
        assertThat(pool.schedule(() -> 42, 1, TimeUnit.MILLISECONDS).get()).isEqualTo(42);
        pool.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
        CountDownLatch atRate = new CountDownLatch(3);
        CountDownLatch withDelay = new CountDownLatch(3);
        ScheduledFuture<?> first = pool.scheduleAtFixedRate(atRate::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> second = pool.scheduleWithFixedDelay(withDelay::countDown, 0, 1, TimeUnit.MILLISECONDS);
        fixture.await("runs at a fixed rate", atRate);
        fixture.await("runs with a fixed delay", withDelay);
        first.cancel(false);
        second.cancel(false);

        fixture.eventually("all counted", () -> snapshot(stealing).completed() >= 8);
        assertThat(snapshot(stealing).submitted()).isGreaterThanOrEqualTo(8);
        assertThat(snapshot(stealing).queueWait().max()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void workStealing_scheduledAfterShutdown_isCountedAsRefused() {
        stealing.shutdown();
        assertThatThrownBy(() -> ((ScheduledExecutorService) stealing).schedule(() -> {}, 1, TimeUnit.MILLISECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(snapshot(stealing).saturation().rejections()).containsEntry(RejectionReason.SHUT_DOWN, 1L);
    }

    @Test
    void workStealing_invokeAnyFails_isThrownAndCountedAsFailed() {
        Callable<Integer> failing = () -> {
            throw new IllegalStateException("on purpose");
        };
        assertThatThrownBy(() -> stealing.invokeAny(List.of(failing))).isInstanceOf(ExecutionException.class);

        fixture.eventually("counted", () -> snapshot(stealing).failed() == 1);
        assertThat(snapshot(stealing).submitted()).isEqualTo(1);
    }

    @Test
    void workStealing_shutDown_countsRefusedTasksOnly() {
        stealing.shutdown();
        assertThatThrownBy(() -> stealing.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> stealing.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> stealing.invokeAll(List.of(() -> 1))).isInstanceOf(RejectedExecutionException.class);

        assertThat(snapshot(stealing).submitted()).isZero();
        assertThat(snapshot(stealing).saturation().rejections()).containsEntry(RejectionReason.SHUT_DOWN, 2L);
    }

    @Test
    void workStealing_noTaskSampledYet_cpuTimeIsUnknownAndNotZero() throws Exception {
        int tasks = 0;
        boolean known = false;
        while (!known && tasks < 1_000) {
            stealing.submit(() -> fib(15)).get();
            int ended = ++tasks;
            fixture.eventually("counted", () -> snapshot(stealing).completed() == ended);
            Distribution cpu = snapshot(stealing).cpuTime();
            known = cpu.isKnown();
            if (known) {
                assertThat(cpu.total()).isPositive();
            }
        }
        assertThat(known).as("sampled after %d tasks", tasks).isTrue();
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    /** {@code close} exists from Java 19 on; that of Java 25 does not call {@code shutdown}. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void workStealing_closed_isAnnouncedAtOnce() throws Exception {
        stealing.submit(() -> {});
        ExecutorService.class.getMethod("close").invoke(stealing);

        assertThat(stealing.isTerminated()).isTrue();
        assertThat(Pools.find("SharedPoolsTest")).isEmpty();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void threadPerTask_shutDownWhileATaskRuns_isAnnouncedWithoutAskingThePool() {
        ExecutorService pool =
                fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("SharedPoolsTest virtual"));
        var task = fixture.occupy(pool);
        pool.shutdown();
        assertThat(Pools.find("SharedPoolsTest virtual")).isPresent();
        task.release();

        fixture.eventually("end", () -> Pools.find("SharedPoolsTest virtual").isEmpty());
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(snapshot(pool).rejected()).isEqualTo(1);
        assertThat(snapshot(pool).submitted()).isEqualTo(1);
    }
}
