package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockedOnIoTest {

    private final Rule rule = new BlockedOnIo();

    /** 8 workers wait 50 ms for every 1 ms of CPU. */
    private static Windows sick() {
        return Simulated.saturated(8, 0.001, 0.05).doing(doing(Doing.WAITING_OUTSIDE, 7.8));
    }

    /** An external pool, of which nobody knows for how long its threads wait for a CPU. It uses a thirtieth of them. */
    @Test
    void examine_othersUseNearlyAllCpus_isFoundWhereThePoolHardlyWantsAny() {
        PoolWindow window = Windows.of("mailing")
                .seconds(10)
                .size(8)
                .busy(8)
                .tasks(1_980)
                .queued(64)
                .service(0.04)
                .doing(doing(Doing.WAITING_OUTSIDE, 8))
                .process(2, 0.04, 0.03, 1)
                .build();
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary()).startsWith("8 of 8 workers are in");
    }

    @Test
    void examine_allWaitAndTasksQueue_saysWhatToExpect() {
        Finding finding = rule.examine(sick().build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("8 of 8 workers are in com.example.Orders.load(Orders.java:42) and wait for something"
                        + " outside, so at most about 160 tasks/s are possible: 8 workers ÷ 51 ms; 100 tasks queue,"
                        + " and 1 submitter waits");
        assertThat(finding.advice())
                .isEqualTo("Try 16 workers. If the calls get slower, go back and look at what they wait for. Or make"
                        + " the call asynchronous. If the calls get no slower, the CPUs can carry 117 (at most 128):"
                        + " 8 → 117 threads: 160 → up to 2,000 tasks/s, service time 51 ms → 60 ms");
        assertThat(finding.recommendedSize())
                .as("the size that the text says to try")
                .hasValue(16);
        assertThat(finding.evidence())
                .containsEntry("tryNext", 16)
                .containsEntry("sizeLow", 8)
                .containsEntry("sizeHigh", 128);
    }

    /** A service hangs. What its calls took before is no reason for more of them. */
    @Test
    void examine_callsReturnNoLonger_isCriticalAndAsksForATimeout() {
        Windows hung = sick().seconds(1).tasks(0);

        PoolWindow window = Windows.history(sick(), hung, hung, hung, hung, hung);
        assertThat(rule.examine(window)).isEqualTo(Verdict.clear());
        Finding finding = new StandsStill().examine(window).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("nothing has been completed for 5 s while 100 tasks queue: 8 of 8 workers wait for something"
                        + " outside at com.example.Orders.load(Orders.java:42)");
        assertThat(finding.advice()).contains("time-out").doesNotContain("Try").doesNotContain("Grow");
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.evidence()).doesNotContainKey("tryNext").containsEntry("end", "outside");
    }

    /** Four stacks of ten prove no share of nine tenths. The picture of all threads does. */
    @Test
    void examine_callsReturnNoLongerAndFewStacksWereRead_standsStillByTheChain() {
        TimeBreakdown few = Breakdowns.of(8)
                .taken(4)
                .error(1.5)
                .with(Doing.WAITING_OUTSIDE, 8)
                .build();
        Windows hung = sick().doing(few).seconds(1).tasks(0);
        PoolWindow window = Windows.history(sick(), hung, hung, hung, hung, hung);
        WaitChain.Link link =
                new WaitChain.Link("", "an answer of port 8080 of this very process", Breakdowns.PLACE, List.of());
        WaitChain.End own = WaitChain.End.OWN_PORT;

        assertThat(new StandsStill().examine(window)).isEqualTo(Verdict.clear());
        Finding finding = new StandsStill()
                .examine(window.toBuilder()
                        .seen(WaitChain.class, new WaitChain(8, 8, List.of(link), own, ""))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .endsWith("all 8 workers wait for an answer of port 8080 of this very process at " + Breakdowns.PLACE);
        assertThat(new StandsStill()
                        .examine(window.toBuilder()
                                .seen(WaitChain.class, new WaitChain(6, 8, List.of(link), own, ""))
                                .build()))
                .as("two others may go on")
                .isEqualTo(Verdict.clear());
    }

    /**
     * Seven wait for a class, which looks like computing. The eighth initialises it, and waits for one of their tasks.
     */
    @Test
    void examine_classIsInitialisedByAWorkerThatWaits_standsStill() {
        Windows hung = sick().seconds(1).tasks(0);
        WaitChain.Link link =
                new WaitChain.Link("", "the initialisation of class com.example.Config", Breakdowns.PLACE, List.of());
        WaitChain.End end = WaitChain.End.OWN_TASK;
        TimeBreakdown other = Breakdowns.of(8)
                .with(Doing.COMPUTING, 7)
                .with(Doing.WAITING_FOR_RESULT, 1)
                .build();
        PoolWindow window = Windows.history(sick(), hung, hung, hung, hung, hung.doing(other));

        assertThat(new StandsStill()
                        .examine(window.toBuilder()
                                .seen(WaitChain.class, new WaitChain(7, 8, List.of(link), end, ""))
                                .build())
                        .finding())
                .isPresent();
    }

    /** Three wait for a monitor. The fourth has it, and waits for a notification that needs the same monitor. */
    @Test
    void examine_holderOfTheMonitorIsAWorkerThatWaits_standsStill() {
        TimeBreakdown few = Breakdowns.of(4)
                .taken(2)
                .error(0.4)
                .lock(3, "com.example.Cache@1")
                .with(Doing.WAITING_IN_LINE, 1)
                .build();
        Windows hung = sick().size(4).busy(4).doing(few).seconds(1).tasks(0);
        WaitChain.Link waiting =
                new WaitChain.Link("", "the monitor of com.example.Cache@1", Breakdowns.PLACE, List.of());
        WaitChain.Link holder = new WaitChain.Link(
                "it is held by thread \"orders-3\", which",
                "a notification or an element",
                "com.example.Cache.await(Cache.java:8)",
                List.of());
        WaitChain chain = new WaitChain(3, 4, List.of(waiting, holder), WaitChain.End.SIGNAL, "");

        Finding finding = new StandsStill()
                .examine(Windows.history(sick(), hung, hung, hung, hung, hung).toBuilder()
                        .seen(WaitChain.class, chain)
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .endsWith("3 of 4 workers wait for the monitor of com.example.Cache@1 at " + Breakdowns.PLACE
                        + "; it is held by thread \"orders-3\", which waits for a notification or an element at"
                        + " com.example.Cache.await(Cache.java:8)");
        assertThat(finding.advice()).endsWith("They may need what the waiting thread holds.");
    }

    /** Tasks queue behind workers that wait for a notification. Behind a pool's only consumers, none does. */
    @Test
    void examine_allWaitForANotificationAndTasksQueue_standsStill() {
        TimeBreakdown few = Breakdowns.of(8)
                .taken(4)
                .error(1.5)
                .with(Doing.WAITING_IN_LINE, 8)
                .build();
        Windows hung = sick().doing(few).seconds(1).tasks(0);
        WaitChain.Link link = new WaitChain.Link("", "a notification or an element", Breakdowns.PLACE, List.of());
        Optional<WaitChain> chain = Optional.of(new WaitChain(8, 8, List.of(link), WaitChain.End.SIGNAL, ""));
        PoolWindow window = Windows.history(sick(), hung, hung, hung, hung, hung);
        Windows consuming = sick().doing(few).seconds(1).tasks(0).queued(0).blockedNow(0);

        assertThat(new StandsStill()
                        .examine(window.toBuilder()
                                .seen(WaitChain.class, chain.orElseThrow())
                                .build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .contains("wait for a notification or an element at " + Breakdowns.PLACE);
        assertThat(new StandsStill()
                        .examine(Windows.history(consuming, consuming, consuming, consuming, consuming).toBuilder()
                                .seen(WaitChain.class, chain.orElseThrow())
                                .build()))
                .isEqualTo(Verdict.clear());
    }

    @Test
    void examine_nothingCompletedForLessThanTwoTasks_saysWhatToExpect() {
        Windows slow = sick().service(300).tasks(270); // after 10,000 short ones
        Windows none = sick().seconds(1).tasks(0);

        assertThat(rule.examine(Windows.history(slow, none, none, none, none, none))
                        .finding()
                        .orElseThrow()
                        .advice())
                .doesNotContain("do not return");
        assertThat(rule.examine(Windows.history(sick(), none, none, none)))
                .as("for less than 4 s it is unknown whether anything moves")
                .isInstanceOf(Verdict.Unknown.class);
    }

    /** 7.7 of 8 workers are busy on average, and the numbers in the message still agree. */
    @Test
    void examine_workersNotQuiteAllBusy_numbersAgree() {
        Finding finding =
                rule.examine(sick().busy(7.7).tasks(1510).build()).finding().orElseThrow();
        assertThat(finding.summary()).contains("so at most about 150 tasks/s are possible: 8 workers ÷ 51 ms");
        assertThat(finding.advice()).contains(": 150 → up to ");
    }

    @Test
    void examine_queueGrowsSlowly_growsToWhatTheArrivalsNeed() {
        Windows growing = sick().tasks(1740, 1567)
                .queued(10, 183)
                .capacity(Integer.MAX_VALUE)
                .blockedNow(0)
                .blockedSubmits(0, 0);
        assertThat(rule.examine(growing.build())
                        .finding()
                        .orElseThrow()
                        .recommendedSize()
                        .orElseThrow())
                .isBetween(13, 16);
    }

    /** A batch shuts its pool down at once, and waits for all its tasks. */
    @Test
    void examine_shutDown_isFoundAsLongAsTasksAreCompleted() {
        Windows shutDown = sick().state(PoolState.SHUTTING_DOWN);
        assertThat(rule.examine(shutDown.times(6)).finding()).isPresent();
        assertThat(rule.examine(shutDown.tasks(0).times(6))).isEqualTo(Verdict.clear());
        assertThat(new StandsStill().examine(sick().tasks(0).times(6)).finding())
                .as("what was not shut down stands still")
                .isPresent();
    }

    @Test
    void examine_slowCallsButNothingWaits_isSilent() {
        assertThat(rule.examine(sick().queued(0).blockedNow(0).build()).finding())
                .isEmpty();
    }

    @Test
    void examine_burstThatIsAboutToBeDone_isSilent() {
        Windows draining =
                sick().tasks(100, 1567).queued(1600, 133).blockedNow(0).blockedSubmits(0, 0);
        assertThat(rule.examine(draining.build()).finding()).isEmpty();
    }

    /** A client sends 20 tasks and waits for all of them: the queue goes up and down, and is not about to be done. */
    @Test
    void examine_chunkThatShrinksByChance_isFound() {
        PoolWindow phases = Windows.history(waiting(19, 2), waiting(18, 3));
        assertThat(rule.examine(phases).finding()).isPresent();
        PoolWindow emptied = Windows.history(waiting(120, 66), waiting(66, 12));
        assertThat(rule.examine(emptied).finding()).isEmpty();
    }

    /** 297 tasks came and went: chance makes 17 of them. */
    private static Windows waiting(int before, int after) {
        return sick().tasks(140, 157).queued(before, after).blockedNow(0).blockedSubmits(0, 0);
    }

    @Test
    void examine_cpuBusy_isSilent() {
        assertThat(rule.examine(Simulated.saturated(110, 0.001, 0.05)
                                .doing(doing(Doing.WAITING_OUTSIDE, 8))
                                .build())
                        .finding())
                .isEmpty();
        assertThat(rule.examine(sick().process(2, 1.7, 0, 0.95).build()).finding())
                .isEmpty();
    }

    /** Without a look at the workers a wait for a lock looks the same. */
    @Test
    void examine_workersNotSeen_isUnknown() {
        assertThat(rule.examine(sick().doing(Breakdowns.of(8)).build())).isInstanceOf(Verdict.Unknown.class);
    }

    /** Half of 8 workers decide, by the lower bound; 2 standard errors of 1 are 2 workers. */
    @Test
    void examine_outsideNotCertainlyHalf_isUnknown() {
        Breakdowns five = Breakdowns.of(8)
                .taken(10)
                .error(1)
                .with(Doing.WAITING_OUTSIDE, 5.5)
                .error(0)
                .with(Doing.COMPUTING, 2.5);
        Breakdowns three = Breakdowns.of(8)
                .error(0.2)
                .with(Doing.WAITING_OUTSIDE, 3)
                .error(0)
                .with(Doing.COMPUTING, 5);
        assertThat(rule.examine(sick().doing(five).build())).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(
                        sick().doing(three).bottleneck(Bottleneck.OUTSIDE).build()))
                .isEqualTo(Verdict.clear());
    }

    /** An experiment needs the setting as much as a recommended size does. */
    @Test
    void examine_sizeIsTriedOrRecommended_namesTheSetting() {
        Neighbours.put("BlockedOnIoTest", new Neighbours.Setting("setCorePoolSize of the bean mails", ""));
        Windows sick = Simulated.saturated("BlockedOnIoTest", 8, Demand.of(0.001, 0.05, 2))
                .doing(doing(Doing.WAITING_OUTSIDE, 7.8));
        Finding recommended = rule.examine(sick.build()).finding().orElseThrow();
        Finding tried = rule.examine(sick.process(ProcessWindow.unknown(2)).build())
                .finding()
                .orElseThrow();

        assertThat(recommended.recommendedSize()).isPresent();
        assertThat(recommended.advice())
                .endsWith("service time 51 ms → 60 ms. The size is set with setCorePoolSize of the bean mails.");
        assertThat(tried.recommendedSize()).isEmpty();
        assertThat(tried.advice())
                .startsWith("Try 16 workers, and 4")
                .endsWith(". The size is set with setCorePoolSize of the bean mails.");
    }

    /** Sleeping is no call that more workers could make at once. */
    @Test
    void examine_tasksSleep_saysWhereAndRecommendsNoSize() {
        Finding finding = rule.examine(sick().doing(doing(Doing.SLEEPING, 8)).build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("8 of 8 workers are in com.example.Orders.load(Orders.java:42) and sleep; 100 tasks queue,"
                        + " and 1 submitter waits");
        assertThat(finding.advice()).startsWith("Do not sleep in a task").doesNotContain("Grow");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** More workers do not make a rate limiter faster, and the rest of the task cannot be scheduled elsewhere. */
    @Test
    void examine_tasksSleepForARateLimiter_namesItAndAdvisesToRaiseTheRate() {
        Awaited.Line limiter = Awaited.Line.ofRate("com.example.RateLimiter");
        Finding finding = rule.examine(sick().doing(Breakdowns.of(8).with(Doing.SLEEPING, 8, Breakdowns.PLACE, limiter))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("8 of 8 workers are in com.example.Orders.load(Orders.java:42) and sleep for the rate of"
                        + " com.example.RateLimiter; 100 tasks queue, and 1 submitter waits");
        assertThat(finding.advice())
                .startsWith("More workers will not help: raise the rate")
                .contains("submit");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** Two clients' worth of standing work: a ninth worker would never have a task. */
    @Test
    void examine_clientsWaitForAnswers_growsToTheStandingWorkAtMost() {
        Windows closed =
                sick().queued(12).capacity(Integer.MAX_VALUE).blockedNow(0).blockedSubmits(0, 0);
        Finding finding = rule.examine(closed.times(5)).finding().orElseThrow();
        assertThat(finding.recommendedSize()).hasValue(16);
        assertThat(finding.advice()).startsWith("Try 16 workers").contains("the CPUs can carry 20");
        assertThat((int) finding.evidence().get("sizeHigh")).isEqualTo(20);
    }

    @Test
    void examine_otherProcessesUseTheCpus_sizeIsBetweenTheirShareAndAll() {
        Finding finding =
                rule.examine(sick().process(2, 0.2, 0, 0.85).build()).finding().orElseThrow();
        assertThat(finding.recommendedSize()).hasValue(16);
        assertThat((int) finding.evidence().get("sizeHigh")).isBetween(117, 130);
        assertThat(finding.advice())
                .startsWith("Try 16 workers")
                .contains("(at most " + finding.evidence().get("sizeHigh")
                        + "), while other processes use 1.5 of 2 CPUs");
    }

    @Test
    void examine_workersWaitForALockOrForEachOther_isSilent() {
        assertThat(rule.examine(sick().doing(doing(Doing.WAITING_FOR_LOCK, 5)).build())
                        .finding())
                .isEmpty();
        assertThat(rule.examine(sick().doing(doing(Doing.WAITING_FOR_RESULT, 5)).build())
                        .finding())
                .isEmpty();
        assertThat(rule.examine(sick().doing(doing(Doing.WAITING_OUTSIDE, 8)).build())
                        .finding())
                .isPresent();
    }

    @Test
    void examine_workersStandInLineForConnections_isSilent() {
        assertThat(rule.examine(sick().doing(doing(Doing.WAITING_IN_LINE, 5)).build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_tasksUseHardlyAnyCpu_isNotToldToGrow() {
        Finding finding = rule.examine(rowLock(24, 88).times(5)).finding().orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.advice())
                .startsWith(
                        "Try 48 workers, and 12: this pool has had no other size, so it is unknown whether more calls")
                .endsWith("No size can be computed: its tasks use 2% of the CPUs, so something else limits them first")
                .doesNotContainIgnoringCase("grow");
        assertThat(finding.evidence()).doesNotContainKeys("sizeLow", "expectedThroughput");
    }

    /** All workers update one row of a database. Measured: 2 workers 81/s, 4: 84, 24: 57, 96: 63. */
    private static Windows rowLock(int workers, int rate) {
        return Windows.of("orders")
                .size(workers)
                .busy(workers)
                .tasks(rate)
                .queued(100)
                .blockedNow(1)
                .service((double) workers / rate)
                .cpu(0.0005)
                .system(0.0005 * rate, 0.001, rate, 1)
                .process(2, 0.05, 0.01, 0.05)
                .doing(Breakdowns.doing(Doing.WAITING_OUTSIDE, workers, workers));
    }

    /** A pool that has tried shows it: the minute in which it had 4 workers and 24 is enough. */
    @Test
    void examine_moreWorkersOnlyMadeTheCallsSlower_isLeftToDownstreamSaturated() {
        Windows few = rowLock(4, 84);
        Windows many = rowLock(24, 57);
        PoolWindow tried = Windows.history(few, few, few, many, many, many, many);
        assertThat(rule.examine(tried)).isEqualTo(Verdict.clear());
        assertThat(new DownstreamSaturated().examine(tried).finding()).isPresent();
    }

    @Test
    void examine_moreWorkersDidMore_isToldToGrow() {
        Windows few = Simulated.saturated(8, 0.001, 0.05).seconds(1).doing(doing(Doing.WAITING_OUTSIDE, 7.8));
        Windows fewer = Simulated.saturated(4, 0.001, 0.05).seconds(1).doing(doing(Doing.WAITING_OUTSIDE, 3.9));
        PoolWindow tried = Windows.history(
                fewer.tasks(79), fewer.tasks(78), fewer.tasks(79), few.tasks(157), few.tasks(158), few.tasks(157));
        assertThat(rule.examine(tried).finding().orElseThrow().advice())
                .startsWith("Grow the pool to ")
                .endsWith(", because calls got no slower when there were more of them");
    }

    /**
     * As of a pool watched from outside, where the process's CPU time has to stand for its tasks': no number from that.
     */
    @Test
    void needs_tasksQueue_asksForStacksUnlessWorkersOnlyCompute() {
        assertThat(rule.needs(Simulated.saturated(8, 0.001, 0.05).build()))
                .containsExactlyInAnyOrder(Evidence.WORKERS, Evidence.STACKS);
        assertThat(rule.needs(Simulated.saturated(4, 0.001, 0).build())).containsExactly(Evidence.WORKERS);
        assertThat(rule.needs(Windows.of("orders").size(4).busy(4).queued(100).build()))
                .as("the system does not say")
                .contains(Evidence.STACKS);
    }

    @Test
    void examine_sizePoorlyKnown_givesNoNumber() {
        Windows unsure = Windows.of("tomcat")
                .size(8)
                .busy(8)
                .tasks(157)
                .queued(100)
                .service(0.051)
                .process(2, 0.1, 0.02, 0.1)
                .doing(doing(Doing.WAITING_OUTSIDE, 7.8));
        assertThat(Sizing.of(unsure.times(5)).orElseThrow().certainty()).isEqualTo(Certainty.POOR);

        Finding finding = rule.examine(unsure.times(5)).finding().orElseThrow();

        assertThat(finding.summary()).contains("and wait for something outside");
        assertThat(finding.advice())
                .startsWith(
                        "Try 16 workers, and 4: this pool has had no other size, so it is unknown whether more calls at once do more or only get"
                                + " slower.")
                .contains("the CPU time of tasks is unknown here; that of the process was used");
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.evidence())
                .containsEntry("certainty", "POOR")
                .doesNotContainKeys("expectedThroughput", "expectedServiceTime");
    }

    static TimeBreakdown doing(Doing what, double workers) {
        return Breakdowns.doing(what, workers, 8);
    }
}
