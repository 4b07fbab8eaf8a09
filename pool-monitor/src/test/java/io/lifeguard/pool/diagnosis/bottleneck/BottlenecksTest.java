package io.lifeguard.pool.diagnosis.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Each bottleneck is decided by the lower bound, excluded by the upper one, and unknown in between. */
class BottlenecksTest {

    /** 16 busy workers with a backlog, on CPUs that are free. */
    private static Windows pool(Breakdowns doing) {
        return Windows.of("web")
                .size(16)
                .busy(16)
                .tasks(160)
                .queued(40)
                .service(0.1)
                .cpu(0.001)
                .process(2, 0.2, 0, 0.1)
                .doing(doing);
    }

    private static Breakdowns doing() {
        return Breakdowns.of(16);
    }

    private static Bottleneck of(Windows windows) {
        return Bottlenecks.of(windows.times(4));
    }

    @Test
    void of_mostWorkersDoOneThing_isThat() {
        assertThat(of(pool(doing().with(Doing.WAITING_OUTSIDE, 16)))).isEqualTo(Bottleneck.OUTSIDE);
        assertThat(of(pool(doing().with(Doing.SLEEPING, 16)))).isEqualTo(Bottleneck.OUTSIDE);
        assertThat(of(pool(doing().lock(16, "a.Lock@1")))).isEqualTo(Bottleneck.LOCK);
        assertThat(of(pool(doing().line(16, 4)))).isEqualTo(Bottleneck.LINE);
        assertThat(of(pool(doing().result(16, "web")))).isEqualTo(Bottleneck.OWN_TASKS);
        assertThat(of(pool(doing().result(16, "mail")))).isEqualTo(Bottleneck.OTHER_POOL);
        assertThat(of(Simulated.saturated(16, 0.001, 0))).isEqualTo(Bottleneck.CPU);
        assertThat(of(pool(doing()))).isEqualTo(Bottleneck.UNKNOWN);
    }

    /** As long as tasks are completed, it is not only the own queue that has the tasks. */
    @Test
    void of_resultsOfWhichNobodyKnowsWhoBringsThem_isAnotherPoolWhileTheBacklogStays() {
        assertThat(of(pool(doing().result(16, null)))).isEqualTo(Bottleneck.OTHER_POOL);
        assertThat(of(pool(doing().result(5, null).with(Doing.COMPUTING, 11)))).isEqualTo(Bottleneck.OTHER_POOL);
        assertThat(of(pool(doing().result(4, null).with(Doing.COMPUTING, 12)))).isNotEqualTo(Bottleneck.OTHER_POOL);
        assertThat(of(pool(doing().result(16, null)).queued(0))).isNotEqualTo(Bottleneck.OTHER_POOL);
        assertThat(Bottlenecks.of(pool(doing().result(16, null)).tasks(0).times(3)))
                .isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(pool(doing().result(16, null)).tasks(0))).isEqualTo(Bottleneck.OWN_TASKS);
    }

    @Test
    void of_idleWorkersAndNothingQueued_isNothing() {
        assertThat(of(pool(doing().with(Doing.IDLE, 8).with(Doing.WAITING_OUTSIDE, 8))
                        .busy(8)
                        .queued(0)))
                .isEqualTo(Bottleneck.NONE);
    }

    @Test
    void of_submittersRunTasksWhileWorkersIdle_isTheDispatcher() {
        Windows feeding = pool(doing().with(Doing.IDLE, 8).with(Doing.WAITING_OUTSIDE, 8))
                .busy(8)
                .queued(0)
                .callerRuns(10, 0.9, new Caller("main", 10, Duration.ofMillis(900), 8));
        assertThat(of(feeding)).isEqualTo(Bottleneck.DISPATCHER);
    }

    /** Half of 16 are 8: 10 ± 1 are more, 9 ± 1 may be fewer, and 5 ± 1 are fewer. */
    @Test
    void of_outsideWithError_isDecidedByTheBounds() {
        assertThat(of(outside(10.1))).isEqualTo(Bottleneck.OUTSIDE);
        assertThat(of(outside(9))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(outside(7))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(outside(5.9))).isEqualTo(Bottleneck.NONE);
    }

    private static Windows outside(double workers) {
        return pool(
                doing().error(1).with(Doing.WAITING_OUTSIDE, workers).error(0).with(Doing.COMPUTING, 16 - workers));
    }

    /** A thread looks asleep until it gets a CPU. On a full machine only the system's times tell how many want one. */
    @Test
    void of_sleepersOnAFullMachine_areDoubtedWithoutTheSystemsTimes() {
        Windows asleep = pool(doing().with(Doing.SLEEPING, 14).with(Doing.COMPUTING, 1));
        assertThat(of(asleep.process(2, 0.9, 0.05, 1))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(asleep.process(2, 0.4, 0.05, 0.5))).isEqualTo(Bottleneck.OUTSIDE);
        assertThat(of(asleep.process(2, 0.9, 0.05, 1).system(1, 0.5, 100, 100))).isEqualTo(Bottleneck.OUTSIDE);
    }

    /** 20 % of 16 are 3.2 waiters. Three that were not seen may wait as well. */
    @Test
    void of_lockWithWorkersNotSeen_isUnknownUntilTheyCannotMatter() {
        Breakdowns few = doing().lock(1, "a.Lock@1").with(Doing.COMPUTING, 12);
        Breakdowns fewer = doing().lock(1, "a.Lock@1").with(Doing.COMPUTING, 13);
        assertThat(of(pool(few))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(pool(fewer))).isEqualTo(Bottleneck.NONE);
    }

    /** A thread without a CPU holds its locks for longer: the CPUs are the cause. */
    @Test
    void of_locksOnFullCpus_isTheCpu() {
        Breakdowns both = doing().lock(8, "a.Lock@1").with(Doing.COMPUTING, 2).with(Doing.WAITING_FOR_CPU, 6);
        assertThat(of(pool(both).process(2, 1.9, 0.05, 1))).isEqualTo(Bottleneck.CPU);
        assertThat(of(pool(both).process(2, 1.2, 0.05, 0.7))).isEqualTo(Bottleneck.LOCK);
    }

    /** Other processes use the CPUs, too: the holder of a lock has one in a seventh of the time. */
    @Test
    void of_locksOfThreadsThatSeldomHaveACpu_isTheCpu() {
        Breakdowns waiting =
                doing().lock(9, "a.Lock@1").with(Doing.COMPUTING, 1).with(Doing.WAITING_FOR_CPU, 6);
        assertThat(of(pool(waiting).process(2, 0.8, 0.05, 1))).isEqualTo(Bottleneck.CPU);
        Breakdowns outside = doing().lock(8, "a.Lock@1")
                .with(Doing.COMPUTING, 1)
                .with(Doing.WAITING_FOR_CPU, 6)
                .with(Doing.WAITING_OUTSIDE, 1);
        assertThat(of(pool(outside).process(2, 0.8, 0.05, 1))).isEqualTo(Bottleneck.LOCK);
        Breakdowns often = doing().lock(12, "a.Lock@1").with(Doing.COMPUTING, 1).with(Doing.WAITING_FOR_CPU, 2);
        assertThat(of(pool(often).process(2, 0.8, 0.05, 1))).isEqualTo(Bottleneck.LOCK);
    }

    /** Consumers that poll forever complete nothing. */
    @Test
    void of_lineWithoutBacklog_isNoLine() {
        Awaited.Line element =
                new Awaited.Line("a.Condition@1", false, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        Breakdowns polling = doing().with(Doing.WAITING_IN_LINE, 16, Breakdowns.PLACE, element);
        assertThat(of(pool(polling).queued(0))).isEqualTo(Bottleneck.NONE);
    }

    /** A pool of connections that were never given back: who waits for them completes nothing any more. */
    @Test
    void of_lineWithoutProgress_isUnknownUntilItIsAStandstill() {
        Awaited.Line element =
                new Awaited.Line("a.Condition@1", false, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        Windows stands = pool(doing().with(Doing.WAITING_IN_LINE, 16, Breakdowns.PLACE, element))
                .tasks(0);

        assertThat(Bottlenecks.of(stands.times(1))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(Bottlenecks.of(stands.times(2))).isEqualTo(Bottleneck.LINE);
        assertThat(Bottlenecks.of(stands.times(60))).as("for ever").isEqualTo(Bottleneck.LINE);
    }

    /** A server with more threads than clients has no backlog, and yet its requests stand in line. */
    @Test
    void of_lineForALimitedResource_needsNoBacklog() {
        assertThat(of(pool(doing().line(12, 4)).queued(0))).isEqualTo(Bottleneck.LINE);
        assertThat(of(pool(doing().line(4, 4).with(Doing.WAITING_OUTSIDE, 12)).queued(0)))
                .isEqualTo(Bottleneck.NONE);
    }

    /** As the workers of a batch that commit in turn: a moment of it is no limit. */
    @Test
    void of_lineInsideAFramework_isALineOnceItLasts() {
        Awaited.Line permit = new Awaited.Line(
                "java.util.concurrent.Semaphore@1a2b",
                true,
                OptionalInt.of(4),
                OptionalInt.empty(),
                OptionalInt.empty());
        Windows inside = pool(doing().with(
                        Doing.WAITING_IN_LINE,
                        12,
                        "org.springframework.batch.core.step.tasklet.TaskletStep$ChunkTransactionCallback"
                                + ".doInTransaction(TaskletStep.java:402)",
                        permit)
                .with(Doing.WAITING_OUTSIDE, 4));
        assertThat(Bottlenecks.of(inside.times(2))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(Bottlenecks.of(inside.times(6))).isEqualTo(Bottleneck.LINE);
        assertThat(of(pool(doing().line(12, 4)))).isEqualTo(Bottleneck.LINE);
    }

    /** One of eight busy workers of 64 waits for a moment, while all connections are lent. */
    @Test
    void of_allConnectionsInUse_needsABacklogOrAQueue() {
        Awaited.Line usedUp =
                new Awaited.Line("orders", true, OptionalInt.empty(), OptionalInt.of(10), OptionalInt.of(10));
        Windows idle =
                Windows.of("web").size(64).tasks(160).queued(0).service(0.01).process(2, 0.2, 0, 0.1);
        Breakdowns waiting = Breakdowns.of(64).with(Doing.IDLE, 62.5).with(Doing.WAITING_OUTSIDE, 0.9);

        assertThat(of(idle.busy(1.5).doing(waiting.with(Doing.WAITING_IN_LINE, 0.6, Breakdowns.PLACE, usedUp))))
                .isEqualTo(Bottleneck.NONE);
        assertThat(of(pool(doing().with(Doing.WAITING_OUTSIDE, 10)
                                .with(Doing.WAITING_IN_LINE, 6, Breakdowns.PLACE, usedUp))
                        .queued(0)))
                .isEqualTo(Bottleneck.LINE);
    }

    // ---- locks of idle pools ----

    private static Windows atALock(int size, double busy, double waiters) {
        return Windows.of("web")
                .size(size)
                .busy(busy)
                .tasks(160)
                .queued(0)
                .service(busy / 160)
                .process(2, 0.2, 0, 0.1)
                .doing(Breakdowns.of(size)
                        .with(Doing.IDLE, size - busy)
                        .lock(waiters, "a.Lock@1")
                        .with(Doing.WAITING_OUTSIDE, busy - waiters));
    }

    /** Two of 16 workers are busy, and meet at a lock now and then: the others could do what these do not. */
    @Test
    void of_lockInAMostlyIdlePool_isNothing() {
        assertThat(of(atALock(16, 2, 0.9))).isEqualTo(Bottleneck.NONE);
        assertThat(of(atALock(16, 4, 2.2))).as("a queue of two").isEqualTo(Bottleneck.LOCK);
    }

    @Test
    void of_lockInASmallPool_isTheLockIfItIsHeldMostOfTheTime() {
        assertThat(of(atALock(4, 3, 1.5))).isEqualTo(Bottleneck.LOCK);
        assertThat(of(atALock(2, 2, 1))).isEqualTo(Bottleneck.LOCK);
        assertThat(of(atALock(1, 1, 0.5))).as("held by threads of others").isEqualTo(Bottleneck.LOCK);
        assertThat(of(atALock(4, 0.5, 0.25))).as("held for half of the time").isEqualTo(Bottleneck.NONE);
    }

    /** Whether a task waits for the CPU is not known where the load of the CPUs is not. */
    @Test
    void of_cpuLoadUnknown_isUnknownUnlessFewerWorkersThanCpusCompute() {
        Breakdowns computing = doing().with(Doing.COMPUTING, 16);
        assertThat(of(pool(computing).cores(2))).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(of(pool(doing().with(Doing.WAITING_OUTSIDE, 15.5).with(Doing.COMPUTING, 0.5))
                        .cores(2)))
                .isEqualTo(Bottleneck.OUTSIDE);
    }

    @Test
    void awaitedPools_aQuarterOfTheWorkersWaits_isNamed() {
        assertThat(Bottlenecks.awaitedPools(
                        pool(doing().result(4, "mail").result(3, "log").result(9, "web"))
                                .build()))
                .containsExactly("mail");
    }

    @Test
    void isStandstill_somethingIsCompletedOrItIsTooShort_isFalse() {
        Windows stands = pool(doing().result(16, null)).tasks(0);
        assertThat(Bottlenecks.isStandstill(stands.times(4))).isTrue();
        assertThat(Bottlenecks.isStandstill(stands.times(3))).isFalse();
        assertThat(Bottlenecks.isStandstill(stands.tasks(1).times(4))).isFalse();
    }
}
