package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ALL;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.testing.Delays;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.HeldTask;
import java.time.Duration;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Caller-runs are recorded with the thread, the time, and the number of workers that were idle meanwhile. */
class CallerRunsTest {

    private static final Duration LONG = Delays.scaled(Duration.ofMillis(80));

    @AutoClose
    private final Fixture fixture = new Fixture();

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void callerRun_allWorkersBusyToTheEnd_noneWasIdle(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type.make(2, 1, new CallerRunsPolicy()));
        full.submit("dispatcher", this::takeLong).awaitAcceptance();
        Caller caller = onlyCaller(full);
        assertThat(caller.thread()).isEqualTo("dispatcher");
        assertThat(caller.runs()).isOne();
        assertThat(caller.time()).isBetween(LONG, LONG.plus(Delays.PATIENCE));
        assertThat(caller.idleWorkers()).isZero();
    }

    /**
     * The dispatcher's task releases two of three workers when it starts, and ends long after they became idle. So two
     * workers are idle nearly all the time, and never more than two.
     */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void callerRun_workersBecomeIdleMeanwhile_theirMeanNumberIsRecorded(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type.make(3, 1, new CallerRunsPolicy()));
        full.submit("dispatcher", () -> {
                    full.held.subList(0, 2).forEach(HeldTask::release);
                    fixture.eventually(
                            "two idle workers",
                            () -> full.pool.getActiveCount() == 1
                                    && full.held.subList(0, 2).stream()
                                            .allMatch(task -> Fixture.isWaiting(task.worker)));
                    long rested = System.nanoTime();
                    fixture.eventually("a long time after", () -> System.nanoTime() - rested > LONG.toNanos());
                })
                .awaitAcceptance();
        Caller caller = onlyCaller(full);
        double atLeast = 2.0 * LONG.toNanos() / caller.time().toNanos();
        assertThat(caller.idleWorkers()).isBetween(atLeast * 0.99, 2.01);
    }

    /** The mean is weighted by time: a long run with all workers busy outweighs a short one with an idle worker. */
    @Test
    void callerRun_severalRuns_idleWorkersAreWeightedByTime() {
        FullPool<ThreadPoolExecutor> full =
                FullPool.of(fixture, PoolType.INSTRUMENTED_WITH_HAND_OFF.make(1, 0, new CallerRunsPolicy()));
        full.submit("dispatcher", this::takeLong).awaitAcceptance();
        Caller first = onlyCaller(full);
        full.submit("dispatcher", () -> {
                    full.release();
                    fixture.eventually("idle worker", () -> Fixture.isWaiting(full.held.get(0).worker));
                })
                .awaitAcceptance();
        Caller both = onlyCaller(full);
        assertThat(both.runs()).isEqualTo(2);
        double share = (both.time().toNanos() - first.time().toNanos())
                / (double) both.time().toNanos();
        assertThat(both.idleWorkers()).isBetween(0.0, share);
    }

    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void callerRun_taskThrows_reachesTheSubmitterAndIsRecorded(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new CallerRunsPolicy());
        IllegalStateException thrown = new IllegalStateException("on purpose");
        assertThatThrownBy(() -> full.pool.execute(() -> {
                    takeLong();
                    throw thrown;
                }))
                .isSameAs(thrown);
        PoolSnapshot snapshot = snapshot(full);
        assertThat(snapshot.callerRuns()).isOne();
        assertThat(snapshot.callerRunTime().max()).isGreaterThanOrEqualTo(LONG);
        assertThat(snapshot.rejected()).isZero();
        assertThat(snapshot.failed()).as("failed tasks of workers").isZero();
        assertThat(onlyCaller(full).time()).isGreaterThanOrEqualTo(LONG);
    }

    @Test
    void callerRun_manyThreads_areListedBusiestFirstAndBounded() {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, PoolType.INSTRUMENTED, new CallerRunsPolicy());
        int threads = 40;
        IntStream.range(0, threads)
                .forEach(i -> full.submit("dispatcher-" + i, () -> {
                            if (i == 7) {
                                takeLong();
                            }
                        })
                        .awaitAcceptance());
        PoolSnapshot snapshot = snapshot(full);
        assertThat(snapshot.saturation().callers()).hasSizeLessThanOrEqualTo(33);
        assertThat(snapshot.saturation().callers().get(0).thread()).isEqualTo("dispatcher-7");
        assertThat(snapshot.saturation().callers()).extracting(Caller::thread).contains("(other)");
        assertThat(snapshot.saturation().callers().stream()
                        .mapToLong(Caller::runs)
                        .sum())
                .isEqualTo(threads);
        assertThat(snapshot.callerRuns()).isEqualTo(threads);
    }

    /** Caller-runs change neither queue wait nor service time, nor the tasks by kind. */
    @ParameterizedTest
    @EnumSource(mode = MATCH_ALL, names = "INSTRUMENTED.*")
    void callerRun_otherMeasurements_areUntouched(PoolType type) {
        FullPool<ThreadPoolExecutor> full = FullPool.of(fixture, type, new CallerRunsPolicy());
        full.pool.execute(Tasks.named("run by the caller", () -> {}));
        full.release();
        fixture.eventually("all counted", () -> snapshot(full).completed() == 1 + full.fillers);
        PoolSnapshot snapshot = snapshot(full);
        assertThat(snapshot.queueWait().count()).isEqualTo(1 + full.fillers);
        assertThat(snapshot.serviceTime().count()).isEqualTo(1 + full.fillers);
        assertThat(snapshot.kinds()).extracting(PoolSnapshot.TaskKind::name).doesNotContain("run by the caller");
        assertThat(snapshot.callerRunTime().total().toNanos())
                .isCloseTo(onlyCaller(full).time().toNanos(), within(1L));
    }

    private void takeLong() {
        long end = System.nanoTime() + LONG.toNanos();
        fixture.eventually("end of a long task", () -> System.nanoTime() - end >= 0);
    }

    private static Caller onlyCaller(FullPool<ThreadPoolExecutor> full) {
        assertThat(snapshot(full).saturation().callers()).hasSize(1);
        return snapshot(full).saturation().callers().get(0);
    }

    private static PoolSnapshot snapshot(FullPool<ThreadPoolExecutor> full) {
        return ((InstrumentedPool) full.pool).snapshot();
    }
}
