package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class DownstreamSaturatedTest {

    private final Rule rule = new DownstreamSaturated();

    /**
     * 20 windows of a pool of 40 in which concurrency rises from 5 to 40; in the last ones all are busy and tasks
     * queue.
     */
    private static PoolWindow rising(IntToDoubleFunction wait) {
        Windows[] all = new Windows[24];
        for (int i = 0; i < all.length; i++) {
            int busy = Math.min(40, 5 + 2 * i);
            double seconds = wait.applyAsDouble(busy);
            all[i] = Windows.of("orders")
                    .size(40)
                    .busy(busy)
                    .tasks(Math.round(10 * busy / seconds))
                    .seconds(10)
                    .queued(busy == 40 ? 50 : 0)
                    .blockedNow(busy == 40 ? 1 : 0)
                    .service(seconds)
                    .cpu(0.0005)
                    .system(0.0005 * 10 * busy / seconds, 0.001, 10, 10)
                    .process(2, 0.1, 0.02, 0.06)
                    .doing(Breakdowns.doing(Doing.WAITING_OUTSIDE, busy, 40));
        }
        return Windows.history(all);
    }

    @Test
    void examine_waitingGrowsAsConcurrencyDoes_growingWillNotHelp() {
        PoolWindow window = rising(busy -> 0.1 * Math.max(1, busy / 10.0));
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("more calls at once only make each call slower: twice as many had 1.1× the throughput, and"
                        + " each waited 1.8× as long; 40 of 40 workers are in"
                        + " com.example.Orders.load(Orders.java:42)");
        assertThat(finding.advice())
                .startsWith("Growing the pool will not help; look at what the tasks wait for (399 ms a call)");
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(9, 13);
        assertThat(new BlockedOnIo().examine(window).finding()).isEmpty();
    }

    @Test
    void examine_waitingDoesNotGrow_isBlockedOnIoInstead() {
        PoolWindow window = rising(busy -> 0.1);
        assertThat(rule.examine(window).finding()).isEmpty();
        assertThat(new BlockedOnIo().examine(window).finding().orElseThrow().advice())
                .endsWith("because calls got no slower when there were more of them");
    }

    @Test
    void examine_serviceGotSlowerByItself_isSilent() {
        PoolWindow window = rising(busy -> 0.001 * busy * busy);
        assertThat(rule.examine(window).finding()).isEmpty();
        assertThat(new BlockedOnIo().examine(window).finding()).isEmpty();
    }

    @Test
    void examine_workersStandInLine_saysWhere() {
        PoolWindow window = Simulated.saturated(8, 0.001, 0.05)
                .doing(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 5.2))
                .build();
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "5 of 8 workers queue at com.example.Orders.load(Orders.java:42): they wait until other threads provide it");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** 50 workers on 4 permits, seen by 60 stacks in a second. */
    @Test
    void examine_fourPermits_recommendsFourToSix() {
        Windows line = Simulated.saturated(50, 0.0001, 0.25)
                .seconds(1)
                .tasks(192)
                .doing(Breakdowns.of(50).error(0.5).line(46, 4).error(0).with(Doing.WAITING_OUTSIDE, 4));
        Finding finding = rule.examine(line.times(5)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("46 of 50 workers queue at com.example.Orders.load(Orders.java:42) for"
                        + " java.util.concurrent.Semaphore@1a2b, which serves about 4 callers at once");
        assertThat(finding.recommendedSize()).hasValue(4);
        assertThat(finding.evidence()).containsEntry("sizeLow", 4).containsEntry("sizeHigh", 5);
        assertThat(new BlockedOnIo().examine(line.times(5))).isEqualTo(Verdict.clear());
    }

    /** The workers beside the permits are on their way to them or from them. */
    @Test
    void examine_moreWorkersBesideTheLineThanAreServed_saysHowManyAreServed() {
        Windows line = Simulated.saturated(50, 0.0001, 0.25)
                .seconds(1)
                .tasks(192)
                .doing(Breakdowns.of(50).error(0.5).line(41, 5).error(0).with(Doing.WAITING_OUTSIDE, 9));
        Finding finding = rule.examine(line.times(5)).finding().orElseThrow();
        assertThat(finding.summary()).contains("which serves about 5 callers at once");
        assertThat(finding.recommendedSize()).hasValue(11);
    }

    /** From outside, neither tasks nor queue are counted: that no worker was on a CPU shows that nothing moves. */
    @Test
    void examine_fromOutsideNobodyMovesInLineForRoom_isAStandstill() {
        Windows still = room(8).system(0, 0, 0, 0);

        assertThat(rule.examine(still.times(3))).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(still.times(5))).isEqualTo(Verdict.clear());
        Finding finding = new StandsStill().examine(still.times(5)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("nothing moves, no worker was on a CPU for 5 s: 8 of 8 workers wait for room in a full"
                        + " LinkedBlockingQueue at com.example.Orders.load(Orders.java:42)");
        assertThat(finding.advice()).contains("nothing will ever run again").doesNotContain("does as much");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** The eighth may make room, and workers that are switched do something. */
    @Test
    void examine_fromOutsideSomebodyMovesOrComputes_isNoStandstill() {
        assertThat(rule.examine(room(8).system(0.1, 0, 40, 0).times(5))
                        .finding()
                        .orElseThrow()
                        .severity())
                .isEqualTo(Severity.WARNING);
        assertThat(rule.examine(room(7).system(0, 0, 0, 0).times(5))
                        .finding()
                        .orElseThrow()
                        .severity())
                .isEqualTo(Severity.WARNING);
    }

    /**
     * Whoever holds the lock waits outside, for tasks that need it, or for a notification. The places at which it is
     * wanted have errors.
     */
    @Test
    void examine_fromOutsideNobodyMovesBehindALock_isAStandstill() {
        Breakdowns heldOutside = Breakdowns.of(8)
                .error(0.5)
                .lock(4, "com.example.Cache@1")
                .lock(3, "com.example.Cache@1")
                .error(0)
                .with(Doing.WAITING_OUTSIDE, 1);
        Breakdowns halfWaitForTasks =
                Breakdowns.of(8).lock(4, "com.example.Cache@1").with(Doing.WAITING_FOR_RESULT, 4);
        Breakdowns holderIsNotNotified =
                Breakdowns.of(8).lock(6, "com.example.Cache@1").with(Doing.WAITING_IN_LINE, 2);
        for (Breakdowns each : List.of(heldOutside, halfWaitForTasks, holderIsNotNotified)) {
            Windows still = Windows.of("orders")
                    .seconds(1)
                    .size(8)
                    .busy(8)
                    .fromOutside()
                    .process(2, 0.1, 0, 0.1)
                    .doing(each)
                    .system(0, 0, 0, 0);

            assertThat(new StandsStill().examine(still.times(5)).finding())
                    .hasValueSatisfying(
                            finding -> assertThat(finding.severity()).isEqualTo(Severity.CRITICAL));
        }
    }

    /** A request that the process has read may be a long poll. One that it has not read, it does not answer. */
    @Test
    void examine_fromOutsideNobodyMovesAndTheChainTells_isAStandstillWhereNothingComes() {
        PoolWindow still = Windows.of("web")
                .seconds(1)
                .size(8)
                .busy(8)
                .fromOutside()
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(8).with(Doing.WAITING_OUTSIDE, 8))
                .system(0, 0, 0, 0)
                .times(5);

        assertThat(standsStill(still, WaitChain.End.UNREAD)).isTrue();
        assertThat(standsStill(still, WaitChain.End.ROOM)).isTrue();
        assertThat(standsStill(still, WaitChain.End.OWN_PORT)).isFalse();
    }

    private static boolean standsStill(PoolWindow window, WaitChain.End end) {
        WaitChain.Link link = new WaitChain.Link("", "what does not come", Breakdowns.PLACE, List.of());
        PoolWindow chained = window.toBuilder()
                .seen(WaitChain.class, new WaitChain(8, 8, List.of(link), end, ""))
                .build();
        return new StandsStill().examine(chained).finding().isPresent();
    }

    private static Windows room(int waiting) {
        Awaited.Line room = new Awaited.Line(
                Awaited.Line.roomIn("LinkedBlockingQueue"),
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
        return Windows.of("orders")
                .seconds(1)
                .size(8)
                .busy(8)
                .fromOutside()
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(8)
                        .with(Doing.WAITING_IN_LINE, waiting, Breakdowns.PLACE, room)
                        .with(Doing.WAITING_OUTSIDE, 8 - waiting));
    }

    @Test
    void examine_connectionsAllInUse_namesThePoolAndNeedsNoBacklog() {
        Awaited.Line hikari =
                new Awaited.Line("HikariPool-1", true, OptionalInt.of(10), OptionalInt.of(10), OptionalInt.of(10));
        Windows web = Windows.of("web")
                .size(200)
                .busy(50)
                .tasks(200)
                .service(0.25)
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(200)
                        .with(Doing.WAITING_IN_LINE, 40, Breakdowns.PLACE, hikari)
                        .with(Doing.WAITING_OUTSIDE, 10)
                        .with(Doing.IDLE, 150));
        assertThat(rule.examine(web.build()).finding().orElseThrow().summary())
                .isEqualTo("10 of 10 connections of HikariPool-1 are in use: 40 of 200 workers queue at"
                        + " com.example.Orders.load(Orders.java:42)");
    }

    /** Workers in {@code Object.wait} may get on the sooner the more they are: it is unknown what they wait for. */
    @Test
    void examine_lineForANotification_saysNothingOfSizes() {
        Awaited.Line monitor = new Awaited.Line(
                "java.lang.Object@1f", false, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        Windows waiting = Simulated.saturated(16, 0.0001, 0.05)
                .tasks(300)
                .doing(Breakdowns.of(16).with(Doing.WAITING_IN_LINE, 16, Breakdowns.PLACE, monitor));
        Finding finding = rule.examine(waiting.times(5)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("16 of 16 workers queue at com.example.Orders.load(Orders.java:42) for"
                        + " java.lang.Object@1f: they wait until other threads provide it");
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.advice()).doesNotContain("will not help");
        assertThat(finding.evidence()).containsKey("noSizeBecause").doesNotContainKey("sizeLow");
    }

    /** Workers that were seen past the line may be those that give back what they took. */
    @Test
    void examine_workersAreSeenPastALineOfUnknownKind_saysHowManyAndBothAdvices() {
        Awaited.Line free = new Awaited.Line(
                "an element of java.util.concurrent.ArrayBlockingQueue",
                false,
                OptionalInt.of(3),
                OptionalInt.empty(),
                OptionalInt.empty());
        Windows waiting = Simulated.saturated(16, 0.0001, 0.05)
                .tasks(300)
                .doing(Breakdowns.of(16).with(Doing.WAITING_IN_LINE, 13, Breakdowns.PLACE, free));
        Finding finding = rule.examine(waiting.times(5)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("13 of 16 workers queue at com.example.Orders.load(Orders.java:42) for an element of"
                        + " java.util.concurrent.ArrayBlockingQueue: they wait until other threads provide it, and"
                        + " about 3 workers at a time have got past");
        assertThat(finding.advice())
                .startsWith("If tasks give it back, as to a pool of objects, more workers will not help: provide more"
                        + " than for about 3 workers. Otherwise look at the threads that provide it");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** The lock of a transaction is no limit that can be raised. */
    @Test
    void examine_lineForALockedRow_advisesToCommitSooner() {
        Awaited.Line row = new Awaited.Line(
                Awaited.Line.lockedBy("Derby"), true, OptionalInt.of(1), OptionalInt.empty(), OptionalInt.empty());
        Windows waiting = Simulated.saturated(16, 0.0001, 0.05)
                .tasks(300)
                .doing(Breakdowns.of(16).with(Doing.WAITING_IN_LINE, 15, Breakdowns.PLACE, row));
        Finding finding = rule.examine(waiting.times(5)).finding().orElseThrow();
        assertThat(finding.summary())
                .contains("for a row or table that another transaction of Derby has locked, which serves about 1");
        assertThat(finding.advice())
                .startsWith("Growing the pool will not help")
                .contains("Commit sooner")
                .doesNotContain("Raise the limit");
    }

    /** Consumers that poll a queue forever, and no task waits for one of them to end. */
    @Test
    void examine_nothingIsEverCompletedAndNothingQueues_isNoLine() {
        Windows polling = Simulated.saturated(8, 0.001, 0.05)
                .tasks(0)
                .queued(0)
                .blockedNow(0)
                .doing(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 8));
        assertThat(rule.examine(polling.times(5))).isEqualTo(Verdict.clear());
    }

    /** All connections were taken and none was given back. */
    @Test
    void examine_standstill_isCriticalForAsLongAsItLasts() {
        Windows stands =
                Simulated.saturated(8, 0.001, 0.05).tasks(0).doing(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 8));
        for (int windows : new int[] {1, 5, 50}) {
            assertThat(rule.examine(stands.times(windows))).isEqualTo(Verdict.clear());
            Finding finding =
                    new StandsStill().examine(stands.times(windows)).finding().orElseThrow();
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.evidence()).containsEntry("standsStillFor", Duration.ofSeconds(10L * windows));
            assertThat(finding.summary()).startsWith("nothing has been completed for");
            assertThat(finding.recommendedSize()).isEmpty();
        }
    }

    @Test
    void examine_workersNotSeen_isUnknown() {
        assertThat(rule.examine(Simulated.saturated(8, 0.001, 0.05)
                        .doing(Breakdowns.of(8))
                        .build()))
                .isInstanceOf(Verdict.Unknown.class);
    }

    /** The line is there whatever the CPUs do. */
    @Test
    void examine_workersStandInLineWhileOthersUseTheCpu_saysWhere() {
        PoolWindow window = Simulated.saturated(8, 0.001, 0.05)
                .process(2, 0.2, 0.02, 1)
                .doing(BlockedOnIoTest.doing(Doing.WAITING_IN_LINE, 5.2))
                .build();
        assertThat(rule.examine(window).finding().orElseThrow().evidence()).containsKey("noSizeBecause");
    }

    @Test
    void examine_nothingWaits_isSilent() {
        assertThat(rule.examine(Windows.of("orders").cpu(0.001).times(20)).finding())
                .isEmpty();
    }
}
