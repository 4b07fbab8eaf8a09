package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.rules.FailuresUnseen;
import io.lifeguard.pool.diagnosis.rules.LockContention;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.os.VirtualThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds over pools in which nothing happens: what they look at is counted. */
class IdleRoundsTest {

    private static final int WORKERS = 8;

    private final MonitorSettings settings = new MonitorSettings();
    private final Counted pool = new Counted();

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    /** Several times, because a round in which the machine stood still closes a window even of an idle pool. */
    @Test
    void rounds_overAnIdlePool_takeNoSnapshotAndLookAtNoWorker() {
        MonitorRound round = round(new FailuresUnseen());
        await().pollInSameThread().untilAsserted(() -> {
            idleUntilAsleep(round);
            int snapshots = pool.snapshots;
            int lists = pool.lists;
            int windows = windows(round).size();

            idle(round, 10);

            assertThat(pool.snapshots).isEqualTo(snapshots);
            assertThat(pool.lists).isEqualTo(lists);
            assertThat(windows(round)).hasSize(windows);
        });
    }

    @Test
    void rounds_overAnIdlePool_areAsLongAsUsualAndHaveFewLooks() {
        MonitorRound round = round(new FailuresUnseen());
        assertThat(round.looks()).isEqualTo(20);
        assertThat(round.length()).isLessThan(Duration.ofSeconds(1)); // the pool is young

        idleUntilAsleep(round);

        assertThat(round.looks()).isEqualTo(4);
        assertThat(round.length()).isEqualTo(Duration.ofSeconds(1));
    }

    /** Their CPU time is unknown, so they may wait for a lock. But there are no workers of which to take stacks. */
    @Test
    void rounds_overThreadsPerTaskThatWait_areThoseOfAnIdlePool() {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
        MonitorRound round = round(new LockContention());
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("waits");
        try {
            executor.execute(() -> awaitQuietly(end));
            executor.execute(() -> awaitQuietly(end));
            round.pools().add(PoolSource.of((InstrumentedPool) executor), "waits");

            idleUntilAsleep(round);

            assertThat(round.looks()).isEqualTo(4);
        } finally {
            end.countDown();
            executor.shutdown();
        }
    }

    @Test
    void glance_poolThatWokeUp_looksAtOnceAndTheWindowsAreWithoutAGap() throws Exception {
        MonitorRound round = round(new FailuresUnseen());
        idleUntilAsleep(round);
        idle(round, 3);
        PoolWindow asleepFrom = windows(round).get(0);

        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<?> task = pool.submit(() -> {
            begun.countDown();
            end.await();
            return null;
        });
        begun.await();
        round.glance(); // the only look at the worker at work
        end.countDown();
        task.get();
        awaitCompleted(1);
        round.make(Duration.ZERO);

        List<PoolWindow> windows = windows(round);
        PoolWindow sleep = windows.get(1);
        PoolWindow work = windows.get(0);
        assertThat(work.completed()).isEqualTo(1);
        assertThat(sleep.completed()).isZero();
        assertThat(sleep.before().nanoTime()).isEqualTo(asleepFrom.after().nanoTime());
        assertThat(work.before().nanoTime()).isEqualTo(sleep.after().nanoTime());
        assertThat(sleep.utilisation()).isZero();
        assertThat(sleep.workers()).hasSize(WORKERS);
        assertThat(sleep.breakdown().shares()).singleElement().satisfies(share -> {
            assertThat(share.doing()).isEqualTo(Doing.IDLE);
            assertThat(share.workers().value()).isEqualTo(WORKERS);
        });
        assertThat(work.breakdown().shares()).anyMatch(share -> share.doing() != Doing.IDLE);
    }

    @Test
    void make_poolThatWokeUpUnseen_hasAWindowForItsTask() throws Exception {
        MonitorRound round = round(new FailuresUnseen());
        idleUntilAsleep(round);
        idle(round, 1);

        pool.submit(() -> {}).get();
        awaitCompleted(1);
        round.make(Duration.ZERO);

        assertThat(windows(round).get(0).completed()).isEqualTo(1);
    }

    @Test
    void rounds_overAPoolWithLittleToDo_readItInFewRoundsWithoutAGap() throws Exception {
        MonitorRound round = round(new FailuresUnseen());
        idleUntilAsleep(round);
        workALittle(round, 4);
        int snapshots = pool.snapshots;

        workALittle(round, 40);

        assertThat(pool.snapshots - snapshots)
                .isBetween(5, 30); // of 40; on a busy machine a task may be long, or the monitor starved
        List<PoolWindow> windows = windows(round);
        assertThat(windows.get(0).before().nanoTime())
                .isEqualTo(windows.get(1).after().nanoTime());
        assertThat(windows).anyMatch(window -> window.completed() > 1);
    }

    @Test
    void rounds_overAPoolWithLittleToDo_readItAtOnceWhenTasksQueue() throws Exception {
        MonitorRound round = round(new FailuresUnseen());
        idleUntilAsleep(round);
        workALittle(round, 4);
        while (windowGoesOn(round)) { // until one has just been closed
            continue;
        }
        int snapshots = pool.snapshots;
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i <= WORKERS; i++) {
            pool.execute(() -> awaitQuietly(end));
        }

        round.make(Duration.ZERO);

        end.countDown();
        assertThat(pool.snapshots - snapshots).isEqualTo(1);
        assertThat(windows(round).get(0).after().queued()).isPositive();
    }

    /** Makes rounds with one short task each. */
    private void workALittle(MonitorRound round, int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            pool.submit(() -> {}).get();
            awaitIdle();
            Thread.sleep(2); // the task is to be a small part of the round
            idle(round, 1);
        }
    }

    /** Without the pause before the first look, which Awaitility makes 100 ms long. */
    private void awaitIdle() {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> pool.getActiveCount() == 0);
    }

    private boolean windowGoesOn(MonitorRound round) throws Exception {
        int snapshots = pool.snapshots;
        workALittle(round, 1);
        return pool.snapshots == snapshots;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void rounds_withARuleOfAUser_askItInEachRound() {
        int[] asked = new int[1];
        MonitorRound round = round(window -> {
            asked[0]++;
            return Verdict.clear();
        });
        idle(round, 3);
        int before = asked[0];

        idle(round, 10);

        assertThat(asked[0] - before).isBetween(5, 10); // a starved monitor puts it off
    }

    /** A future is done a moment before its worker counts the task. */
    private void awaitCompleted(int tasks) {
        await().until(() -> pool.snapshot().completed() == tasks);
    }

    private MonitorRound round(Rule rule) {
        settings.rules().add(rule);
        settings.discoversRules(false);
        MonitorRound round = new MonitorRound(
                settings, MonitorClock.SYSTEM, EvidenceSources.ofThisMachine(MonitorClock.SYSTEM), new NoNews());
        pool.prestartAllCoreThreads();
        awaitIdle(); // a worker whose thread does not run yet counts
        round.begin();
        round.pools().add(PoolSource.of(pool), pool.name());
        return round;
    }

    /** Until nothing is left of what a new pool does. */
    private static void idleUntilAsleep(MonitorRound round) {
        for (int i = 0; i < 1_000 && round.looks() != 4; i++) {
            idle(round, 1);
        }
        assertThat(round.looks()).isEqualTo(4);
    }

    private static void idle(MonitorRound round, int rounds) {
        for (int i = 0; i < rounds; i++) {
            for (int look = round.looks(); look > 0; look--) {
                round.glance();
            }
            round.make(Duration.ZERO);
        }
    }

    private static List<PoolWindow> windows(MonitorRound round) {
        return round.pools().all().get(0).windows();
    }

    private static final class Counted extends InstrumentedThreadPoolExecutor {
        private int snapshots;
        private int lists;

        Counted() {
            super(named("counted").size(WORKERS));
        }

        @Override
        public PoolSnapshot snapshot() {
            snapshots++;
            return super.snapshot();
        }

        @Override
        public List<WorkerState> workers() {
            lists++;
            return super.workers();
        }
    }

    private static final class NoNews implements FindingListener {
        @Override
        public void raised(Finding finding) {}

        @Override
        public void resolved(Finding finding) {}
    }
}
