package io.lifeguard.pool.compat;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.testing.Gate;
import io.lifeguard.pool.testing.HeldTask;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A scheduled task runs at the right times, and as often as it should. */
class ScheduleTest {

    @EveryScheduledPool
    void schedule_delayGiven_runsOnceAndNotBefore(ScheduledFixture pools) throws Exception {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        long delay = MILLISECONDS.toNanos(200);
        long begin = System.nanoTime();
        ScheduledFuture<Long> future = pool.schedule(System::nanoTime, delay, NANOSECONDS);
        long due = future.getDelay(NANOSECONDS);
        assertThat(due).isGreaterThanOrEqualTo(delay - (System.nanoTime() - begin));
        assertThat(pools.get(future) - begin).isGreaterThanOrEqualTo(delay);
        assertThat(future.isDone()).isTrue();
        assertThat(pool.getQueue()).isEmpty();
        assertThat(pools.get(pool.schedule(() -> {}, 1, NANOSECONDS))).isNull();
    }

    @EveryScheduledPool
    void schedule_noOrNegativeDelay_runsAtOnce(ScheduledFixture pools) throws Exception {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        assertThat(pools.get(pool.schedule(() -> "now", 0, DAYS))).isEqualTo("now");
        assertThat(pools.get(pool.schedule(() -> "before", -1, DAYS))).isEqualTo("before");
        assertThat(pools.get(pool.schedule(() -> "long before", Long.MIN_VALUE, DAYS)))
                .isEqualTo("long before");
    }

    @EveryScheduledPool
    void schedule_severalDelays_runInOrderOfTime(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        HeldTask held = pools.occupy(pool);
        List<String> ran = new CopyOnWriteArrayList<>();
        pool.schedule(() -> ran.add("fourth"), 300, MILLISECONDS);
        pool.schedule(() -> ran.add("third"), 2, MILLISECONDS);
        pool.execute(() -> ran.add("first"));
        pool.execute(() -> ran.add("second"));
        pool.schedule(() -> ran.add("never"), Long.MAX_VALUE, NANOSECONDS);
        held.release();
        pools.eventually("four tasks", () -> ran.size() == 4);
        // If 2 ms passed between the calls, "second" was due later than "third", and the order differs.
        assertThat(ran.indexOf("first")).isLessThan(ran.indexOf("second"));
        assertThat(ran.indexOf("third")).isLessThan(ran.indexOf("fourth"));
    }

    @EveryScheduledPool
    void getDelay_tasksWaiting_countsDownAndOrdersThem(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        ScheduledFuture<?> later = pool.schedule(() -> {}, 2, HOURS);
        ScheduledFuture<?> sooner = pool.schedule(() -> {}, 1, HOURS);
        assertThat(later.getDelay(NANOSECONDS)).isBetween(HOURS.toNanos(1), HOURS.toNanos(2));
        assertThat(sooner.getDelay(SECONDS)).isBetween(1800L, 3600L);
        assertThat(sooner.compareTo(later)).isNegative();
        assertThat(later.compareTo(sooner)).isPositive();
        ScheduledFuture<?> same = sooner;
        assertThat(sooner.compareTo(same)).isZero();
        assertThat(pool.getQueue().peek()).isSameAs(sooner);
    }

    @EveryScheduledPool
    void executeAndSubmit_scheduledPool_runAtOnce(ScheduledFixture pools) throws Exception {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        pools.await("executed task", ran);
        Object value = new Object();
        assertThat(pools.get(pool.submit(() -> value))).isSameAs(value);
        assertThat(pools.get(pool.submit(() -> {}, value))).isSameAs(value);
        assertThat(pools.get(pool.submit(() -> {}))).isNull();
        assertThat(pool.invokeAll(List.<Callable<Object>>of(() -> value)).get(0).get())
                .isSameAs(value);
        assertThat(pool.invokeAny(List.<Callable<Object>>of(() -> value))).isSameAs(value);
    }

    @EveryScheduledPool
    void schedule_nullOrNoPeriod_isRefused(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        Runnable task = () -> {};
        refused(NullPointerException.class, () -> pool.schedule((Runnable) null, 1, SECONDS));
        refused(NullPointerException.class, () -> pool.schedule((Callable<?>) null, 1, SECONDS));
        refused(NullPointerException.class, () -> pool.schedule(task, 1, null));
        refused(NullPointerException.class, () -> pool.scheduleAtFixedRate(null, 0, 0, SECONDS));
        refused(NullPointerException.class, () -> pool.scheduleWithFixedDelay(null, 0, 0, SECONDS));
        refused(NullPointerException.class, () -> pool.scheduleAtFixedRate(task, 0, 0, null));
        refused(NullPointerException.class, () -> pool.scheduleWithFixedDelay(task, 0, 0, null));
        refused(IllegalArgumentException.class, () -> pool.scheduleAtFixedRate(task, 0, 0, SECONDS));
        refused(IllegalArgumentException.class, () -> pool.scheduleAtFixedRate(task, 0, -1, SECONDS));
        refused(IllegalArgumentException.class, () -> pool.scheduleWithFixedDelay(task, 0, 0, SECONDS));
        refused(IllegalArgumentException.class, () -> pool.scheduleWithFixedDelay(task, 0, -1, SECONDS));
        refused(NullPointerException.class, () -> pool.execute(null));
        refused(NullPointerException.class, () -> pool.submit((Runnable) null));
        refused(NullPointerException.class, () -> pool.submit((Callable<?>) null));
        assertThat(pool.getQueue()).isEmpty();
        assertThat(pool.getPoolSize()).isZero();
    }

    private static void refused(Class<? extends Throwable> type, ThrowingCallable call) {
        assertThatThrownBy(call).isExactlyInstanceOf(type);
    }

    /** A run of a periodic task: its delay, and the moments before and after the delay was read. */
    private record Run(long before, long due, long after) {

        static Run of(ScheduledFuture<?> future) {
            long before = System.nanoTime();
            long due = future.getDelay(NANOSECONDS);
            return new Run(before, due, System.nanoTime());
        }

        /** Whether this run can have been due {@code nanos} after the first run. */
        boolean dueAfter(Run first, long nanos) {
            long least = before + due - (first.after + first.due);
            long most = after + due - (first.before + first.due);
            return least <= nanos && nanos <= most;
        }
    }

    @EveryScheduledPool
    void scheduleAtFixedRate_runTakesLong_nextOnesAreDueAsIfItHadNot(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        Gate gate = pools.gate();
        long period = MILLISECONDS.toNanos(1);
        List<Run> runs = new CopyOnWriteArrayList<>();
        CompletableFuture<ScheduledFuture<?>> own = new CompletableFuture<>();
        own.complete(pool.scheduleAtFixedRate(
                () -> {
                    runs.add(Run.of(own.join()));
                    gate.passUninterruptibly();
                },
                0,
                period,
                NANOSECONDS));
        pools.await("first run", gate.arrived());
        long begin = System.nanoTime();
        pools.eventually("several periods", () -> System.nanoTime() - begin > 5 * period);
        gate.open();
        pools.eventually("five runs", () -> runs.size() >= 5);
        for (int i = 1; i < 5; i++) {
            assertThat(runs.get(i).dueAfter(runs.get(0), i * period))
                    .as("run %s in %s", i, runs)
                    .isTrue();
        }
    }

    @EveryScheduledPool
    void scheduleWithFixedDelay_runTakesLong_nextOneWaitsForItsEnd(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(2);
        Gate gate = pools.gate();
        long delay = MILLISECONDS.toNanos(2);
        List<Long> begins = new CopyOnWriteArrayList<>();
        List<Long> ends = new CopyOnWriteArrayList<>();
        pool.scheduleWithFixedDelay(
                () -> {
                    begins.add(System.nanoTime());
                    gate.passUninterruptibly();
                    ends.add(System.nanoTime());
                },
                0,
                delay,
                NANOSECONDS);
        pools.await("first run", gate.arrived());
        long begin = System.nanoTime();
        pools.eventually("several delays", () -> System.nanoTime() - begin > 5 * delay);
        gate.open();
        pools.eventually("five runs", () -> begins.size() >= 5);
        for (int i = 1; i < 5; i++) {
            assertThat(begins.get(i) - ends.get(i - 1)).isGreaterThanOrEqualTo(delay);
        }
    }

    @EveryScheduledPool
    void scheduleAtFixedRate_manyWorkers_runsNeverOverlap(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(4);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch runs = new CountDownLatch(50);
        pool.scheduleAtFixedRate(
                () -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    runs.countDown();
                },
                0,
                10_000,
                NANOSECONDS);
        pools.await("fifty runs", runs);
        assertThat(most).hasValue(1);
    }

    @EveryScheduledPool
    void schedulePeriodically_initialDelay_isKept(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        AtomicInteger runs = new AtomicInteger();
        Future<?> rate = pool.scheduleAtFixedRate(runs::incrementAndGet, 1, 1, HOURS);
        Future<?> delay = pool.scheduleWithFixedDelay(runs::incrementAndGet, 1, 1, HOURS);
        pools.never("run", () -> runs.get() > 0);
        assertThat(rate.isDone() || delay.isDone()).isFalse();
        assertThat(((ScheduledFuture<?>) rate).getDelay(SECONDS)).isBetween(1800L, 3600L);
    }

    @EveryScheduledPool
    void schedulePeriodically_runs_futureIsNeverDone(ScheduledFixture pools) {
        ScheduledThreadPoolExecutor pool = pools.pool(1);
        CountDownLatch runs = new CountDownLatch(3);
        Future<?> future = pool.scheduleWithFixedDelay(runs::countDown, 0, 1, NANOSECONDS);
        pools.await("three runs", runs);
        assertThat(future.isDone()).isFalse();
        future.cancel(false);
        assertThat(future.isDone()).isTrue();
    }
}
