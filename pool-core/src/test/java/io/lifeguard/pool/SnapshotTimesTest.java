package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The times of a snapshot lie between the bounds that tasks and submitters measure themselves. */
class SnapshotTimesTest {

    private static final Duration LONG = Delays.scaled(Duration.ofMillis(50));

    @AutoClose
    private final Fixture fixture = new Fixture();

    private record Span(long from, long to) {}

    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        fixture.eventually("the time to pass", () -> System.nanoTime() - end >= 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"INSTRUMENTED", "INSTRUMENTED_ON_LINKED_QUEUE", "INSTRUMENTED_ON_ARRAY_QUEUE"})
    void queueWait_taskBehindAHeldWorker_isFromSubmissionToStart(PoolType type) throws Exception {
        for (boolean future : new boolean[] {false, true}) {
            ThreadPoolExecutor pool = fixture.closing(type.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
            HeldTask held = fixture.occupy(pool);
            CompletableFuture<Long> begun = new CompletableFuture<>();
            Runnable task = Tasks.named("probe", (Runnable) () -> begun.complete(System.nanoTime()));
            long before = System.nanoTime();
            if (future) {
                pool.submit(task);
            } else {
                pool.execute(task);
            }
            long after = System.nanoTime();
            pass(LONG);
            long released = System.nanoTime();
            held.release();
            long begin = fixture.get(begun);
            Duration wait = kind(awaitCompleted(pool, 2), "probe").queueWait();
            assertThat(wait).isBetween(Duration.ofNanos(released - after), Duration.ofNanos(begin - before));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void serviceTime_task_isFromStartToEnd(PoolType type) throws Exception {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        CompletableFuture<Span> ran = new CompletableFuture<>();
        long before = System.nanoTime();
        pool.execute(() -> {
            long from = System.nanoTime();
            pass(LONG);
            ran.complete(new Span(from, System.nanoTime()));
        });
        Span span = fixture.get(ran);
        PoolSnapshot snapshot = awaitCompleted(pool, 1);
        assertThat(snapshot.serviceTime().total())
                .isBetween(Duration.ofNanos(span.to - span.from), Duration.ofNanos(snapshot.nanoTime() - before));
        assertThat(snapshot.serviceTime().max())
                .isEqualTo(snapshot.serviceTime().total());
        assertThat(snapshot.serviceTime().mean())
                .isEqualTo(snapshot.serviceTime().total());
        assertThat(snapshot.kinds().get(0).wall())
                .isEqualTo(snapshot.serviceTime().total());
    }

    @Test
    void serviceTime_oneLongTaskAmongManyShort_showsOnlyInTheTail() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 200, new ThreadPoolExecutor.AbortPolicy()));
        for (int i = 0; i < 99; i++) {
            pool.execute(() -> {});
        }
        pool.execute(() -> pass(LONG));
        Distribution service = awaitCompleted(pool, 100).serviceTime();
        assertThat(service.percentile(1)).isEqualTo(service.max()).isGreaterThanOrEqualTo(LONG);
        assertThat(service.percentile(0.5)).isLessThan(LONG);
        assertThat(service.percentile(0)).isLessThanOrEqualTo(service.percentile(0.5));
    }

    /** The task reads the same clock. The pool's total is the task's time and a little CPU time of the worker. */
    @Test
    void cpuTime_taskThatComputes_isTheCpuTimeOfTheTask() throws Exception {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        CompletableFuture<Long> burnt = new CompletableFuture<>();
        pool.execute(() -> {
            long start = clock.getCurrentThreadCpuTime();
            while (clock.getCurrentThreadCpuTime() - start < LONG.toNanos()) {
                // computing
            }
            burnt.complete(clock.getCurrentThreadCpuTime() - start);
        });
        Duration own = Duration.ofNanos(fixture.get(burnt));
        awaitCompleted(pool, 1);
        fixture.eventually( // the end of a task is counted a moment before its CPU time
                "CPU time of the task", () -> snapshot(pool).cpuTime().total().compareTo(Duration.ZERO) > 0);
        Distribution cpu = snapshot(pool).cpuTime();
        assertThat(cpu.accuracy()).isEqualTo(Distribution.Accuracy.SAMPLED);
        assertThat(cpu.count()).isOne();
        assertThat(cpu.total()).isBetween(own.multipliedBy(98).dividedBy(100), own.plus(LONG));
        assertThat(cpu.total())
                .isLessThanOrEqualTo(
                        awaitCompleted(pool, 1).serviceTime().total().plusMillis(1));
    }

    @Test
    void cpuTime_taskThatWaits_isNearlyZero() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        HeldTask held = fixture.occupy(pool);
        pass(LONG.multipliedBy(2));
        held.release();
        PoolSnapshot snapshot = awaitCompleted(pool, 1);
        assertThat(snapshot.serviceTime().total()).isGreaterThan(LONG.multipliedBy(2));
        assertThat(snapshot.cpuTime().total()).isLessThan(LONG);
    }

    @Test
    void oldestQueued_workQueue_isTheAgeOfTheHead() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        HeldTask held = fixture.occupy(pool);
        assertThat(snapshot(pool).load().oldestQueued()).isZero();
        long before = System.nanoTime();
        pool.execute(() -> {});
        long after = System.nanoTime();
        pass(LONG);
        pool.execute(() -> {});
        long asked = System.nanoTime();
        Duration age = snapshot(pool).load().oldestQueued();
        assertThat(age).isBetween(Duration.ofNanos(asked - after), Duration.ofNanos(System.nanoTime() - before));
        held.release();
        awaitCompleted(pool, 3);
        assertThat(snapshot(pool).load().oldestQueued()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void blockedNow_submittersWait_isTheirNumber(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, BlockingWaitPolicy.forever());
        for (int i = 1; i <= 3; i++) {
            full.submitAndWait(() -> {});
            assertThat(snapshot(full.pool).saturation().blockedNow()).isEqualTo(i);
        }
        assertThat(snapshot(full.pool).blockedSubmit().count())
                .as("waits that have ended")
                .isZero();
        pass(LONG);
        full.release();
        fixture.eventually(
                "no submitter waits", () -> snapshot(full.pool).saturation().blockedNow() == 0);
        Distribution blocked = snapshot(full.pool).blockedSubmit();
        assertThat(blocked.count()).isEqualTo(3);
        assertThat(blocked.total()).isGreaterThanOrEqualTo(LONG.multipliedBy(3));
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void idleTime_workerWithoutTasks_growsAsTimePasses(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        long before = System.nanoTime();
        HeldTask held = fixture.occupy(pool);
        Duration atStart = snapshot(pool).times().idle();
        pass(LONG);
        assertThat(snapshot(pool).times().idle()).as("while the worker is busy").isEqualTo(atStart);
        held.release();
        awaitCompleted(pool, 1); // until then the worker may still wait within its task
        fixture.eventually("worker at rest", () -> Fixture.isWaiting(held.worker));
        Duration rested = snapshot(pool).times().idle();
        pass(LONG);
        Duration later = snapshot(pool).times().idle();
        assertThat(later.minus(rested)).isGreaterThanOrEqualTo(LONG);
        assertThat(later).isLessThan(Duration.ofNanos(System.nanoTime() - before));
    }

    /**
     * The test submits each task when the worker is parked. Waking the worker costs CPU time that belongs to no task.
     */
    @Test
    void idleCpuTime_workerThatParks_isPositiveAndInTheTable() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        pool.execute(() -> worker.complete(Thread.currentThread()));
        for (int tasks = 1; tasks < 50; tasks++) {
            awaitCompleted(pool, tasks);
            fixture.eventually("worker at rest", () -> Fixture.isWaiting(worker.join()));
            pool.execute(() -> {});
        }
        PoolSnapshot snapshot = awaitCompleted(pool, 50);
        assertThat(snapshot.overhead().idleCpuTime()).isPositive();
        assertThat(snapshot.toTable()).contains("; idle workers burnt ");
    }

    /** A few hundred nanoseconds on an ordinary machine; a thousand times less or more means a wrong calibration. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void overhead_afterManyTasks_isPositiveAndPlausible(PoolType type) {
        ThreadPoolExecutor pool = fixture.closing(type.make(1, 100, BlockingWaitPolicy.forever()));
        int tasks = 2_000;
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> {});
        }
        PoolSnapshot.Overhead overhead = awaitCompleted(pool, tasks).overhead();
        assertThat(overhead.perTask()).isBetween(Duration.ofNanos(5), Duration.ofMillis(1));
        assertThat(overhead.total().dividedBy(tasks))
                .isBetween(overhead.perTask(), overhead.perTask().plusNanos(1));
    }

    @Test
    void snapshot_taken_doesNotChange() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 5, new ThreadPoolExecutor.AbortPolicy()));
        pool.execute(() -> {});
        long before = System.nanoTime();
        PoolSnapshot first = awaitCompleted(pool, 1);
        assertThat(first.nanoTime()).isBetween(before, System.nanoTime());
        Duration service = first.serviceTime().total();
        pool.execute(() -> {});
        awaitCompleted(pool, 2);
        assertThat(first.completed()).isOne();
        assertThat(first.serviceTime().count()).isOne();
        assertThat(first.serviceTime().total()).isEqualTo(service);
        assertThatThrownBy(() -> first.kinds().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> first.saturation().rejections().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private PoolSnapshot awaitCompleted(ThreadPoolExecutor pool, long tasks) {
        fixture.eventually("all counted", () -> {
            PoolSnapshot snapshot = snapshot(pool);
            return snapshot.completed() == tasks && snapshot.serviceTime().count() == tasks;
        });
        return snapshot(pool);
    }

    private static TaskKind kind(PoolSnapshot snapshot, String name) {
        return snapshot.kinds().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static PoolSnapshot snapshot(ThreadPoolExecutor pool) {
        return ((InstrumentedPool) pool).snapshot();
    }
}
