package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.PoolSnapshot.EventLoop;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Caller-runs is found only when it costs throughput, with what waiting would gain. */
class DispatcherRunsTasksTest {

    private final Rule rule = new DispatcherRunsTasks();

    /**
     * 16 workers, of which 9.5 are busy on average because the dispatcher runs tasks nearly all the time: 16 / (9.5 +
     * 0.9).
     */
    private static Windows sick() {
        return sick("orders");
    }

    private static Windows sick(String pool) {
        return Windows.of(pool)
                .size(16)
                .busy(9.5)
                .tasks(1900)
                .service(0.005)
                .cpu(0.00001)
                .process(2, 0.1, 0, 0.05)
                .capacity(8)
                .doing(Breakdowns.of(16).with(Doing.IDLE, 6.5).with(Doing.WAITING_OUTSIDE, 9.5))
                .callerRuns(180, 0.9, caller(180, 0.9, 7.2));
    }

    private static Caller caller(long runs, double seconds, double idleWorkers) {
        return new Caller("main", runs, Duration.ofNanos((long) (seconds * 1e9)), idleWorkers);
    }

    @Test
    void examine_settingKnown_namesThePolicy() {
        Neighbours.put(
                "DispatcherRunsTasksTest", new Neighbours.Setting("the size", "the queue", "x.when-saturated", ""));
        String advice = rule.examine(sick("DispatcherRunsTasksTest").build())
                .finding()
                .orElseThrow()
                .advice();
        assertThat(advice).endsWith("tasks/s. The policy is set with x.when-saturated.");
    }

    @Test
    void examine_workersIdleWhileDispatcherRuns_namesItAndTheGain() {
        Finding finding = rule.examine(sick().build()).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("dispatcher-runs-tasks");
        assertThat(finding.pool()).isEqualTo("orders");
        assertThat(finding.summary())
                .isEqualTo("main ran 180 tasks itself for 900 ms in 1 s, while 7.2 of 16 workers were idle on average,"
                        + " because main submitted nothing in that time");
        assertThat(finding.advice())
                .contains("BlockingWaitPolicy")
                .contains("1.5×")
                .contains("2,080 → 3,196 tasks/s");
        assertThat((double) finding.evidence().get("gain")).isCloseTo((9.5 + 0.9 * 7.2) / (9.5 + 0.9), within(0.01));
    }

    /** 8.8 of 16 workers were busy whenever the dispatcher ran a task, so 3.4 cannot be the mean. */
    @Test
    void examine_windowShowsTooFewBusyWorkers_gainIsThatOfTheRuns() {
        Finding finding = rule.examine(sick().busy(3.4).build()).finding().orElseThrow();

        double busy = 0.9 * (16 - 7.2);
        assertThat((double) finding.evidence().get("gain")).isCloseTo((busy + 0.9 * 7.2) / (busy + 0.9), within(0.01));
    }

    /** An event loop must not wait for room, so the advice of this rule is not for it. */
    @Test
    void examine_busiestSubmitterIsAnEventLoop_isLeftToTheOtherRule() {
        EventLoop loop = new EventLoop("main", 180, Duration.ofMillis(900), 0, Duration.ZERO);
        EventLoop other = new EventLoop("nio-1", 180, Duration.ofMillis(900), 0, Duration.ZERO);

        assertThat(rule.examine(sick().eventLoops(loop).build())).isEqualTo(Verdict.clear());
        assertThat(new EventLoopBlockedByPool()
                        .examine(sick().eventLoops(loop).build())
                        .finding())
                .isPresent();
        assertThat(rule.examine(sick().eventLoops(other).build()).finding()).isPresent();
    }

    /** The name of a thread is text, also where it looks like a format. */
    @Test
    void examine_nameOfTheDispatcherHasAPercentSign_namesIt() {
        Caller caller = new Caller("load 50% %s %n", 180, Duration.ofMillis(900), 7.2);

        Finding finding = rule.examine(sick().callerRuns(180, 0.9, caller).build())
                .finding()
                .orElseThrow();

        assertThat(finding.summary()).startsWith("load 50% %s %n ran 180 tasks itself");
    }

    /**
     * Otherwise half of the new workers would count as absent, and the promised gain would be several times too high.
     */
    @Test
    void examine_workersStartedInTheWindow_promisesAsMuch() {
        Finding finding = rule.examine(sick().grownFrom(0).build()).finding().orElseThrow();
        assertThat((double) finding.evidence().get("gain")).isCloseTo((9.5 + 0.9 * 7.2) / (9.5 + 0.9), within(0.01));
    }

    /** Measured: with a queue as long as the pool and constant tasks caller-runs is faster than waiting. */
    @Test
    void examine_allWorkersBusyAllTheTime_isSilent() {
        assertThat(rule.examine(sick().busy(15.9)
                                .callerRuns(180, 0.9, caller(180, 0.9, 0.05))
                                .build())
                        .finding())
                .isEmpty();
    }

    /** With busy CPUs, waking up takes long and looks like idleness. */
    @Test
    void examine_littleGainWhileOthersUseTheCpus_isSilent() {
        Windows little = sick().busy(14).callerRuns(180, 0.9, caller(180, 0.9, 2.4)); // 1.07
        assertThat(rule.examine(little.process(2, 0.4, 0, 0.2).build()).finding())
                .isPresent();
        assertThat(rule.examine(little.process(2, 0.4, 0, 1).build()).finding()).isEmpty();
        assertThat(rule.examine(sick().process(2, 0.4, 0, 1).build()).finding()).isPresent();
    }

    @Test
    void examine_gainBelowFivePercent_isSilentUntilTheThresholdIsLowered() {
        Windows little = sick().busy(15).callerRuns(100, 0.5, caller(100, 0.5, 1.9));
        assertThat(rule.examine(little.build()).finding()).isEmpty();
        assertThat(rule.examine(little.threshold(Thresholds.DISPATCHER_GAIN, 1.02)
                                .build())
                        .finding())
                .isPresent();
    }

    /** Idle workers could not compute anything: both CPUs are used up by the tasks that run. */
    @Test
    void examine_cpusFull_isSilent() {
        assertThat(rule.examine(sick().process(2, 1.9, 0, 1).cpu(0.001).build()).finding())
                .isEmpty();
        assertThat(rule.examine(sick().process(8, 1.9, 0, 0.25).cpu(0.001).build())
                        .finding())
                .isPresent();
    }

    private static Breakdowns waitingForALock(double workers) {
        return Breakdowns.of(16)
                .lock(workers, "acme.Stock@1f")
                .with(Doing.IDLE, 6.5)
                .with(Doing.COMPUTING, 0.1);
    }

    /** 5 of 10.4 wait, so it is held 93 % of the time. */
    @Test
    void examine_lockCapsThroughput_promisesAtMostWhatTheLockAllows() {
        Finding finding =
                rule.examine(sick().doing(waitingForALock(5)).build()).finding().orElseThrow();
        assertThat((double) finding.evidence().get("expectedThroughput")).isCloseTo(2080 / 0.93, within(20.0));
        assertThat((double) finding.evidence().get("gain")).isCloseTo(1 / 0.93, within(0.01));
        assertThat(finding.evidence()).containsEntry("lock", "acme.Stock@1f");
        assertThat(finding.advice()).contains("1.07×").contains("the lock acme.Stock@1f");
    }

    @Test
    void examine_lockLeavesNoGain_isSilentAndKeepsLooking() {
        PoolWindow window = sick().doing(waitingForALock(9)).build();
        assertThat(rule.examine(window).finding()).isEmpty();
        assertThat(rule.needs(window)).containsExactly(Evidence.STACKS);
    }

    /**
     * A framework returns from the rejected task at once, and runs it later: 50 of 20 ms each take all of the second.
     */
    private static Windows deferred() {
        return Windows.of("orders")
                .size(8)
                .busy(4)
                .tasks(200)
                .service(0.02)
                .cpu(0.0001)
                .process(2, 0.1, 0, 0.05)
                .capacity(4)
                .doing(Breakdowns.of(8).with(Doing.IDLE, 4).with(Doing.WAITING_OUTSIDE, 4))
                .callerRuns(50, 0.0005, caller(50, 0.0005, 0));
    }

    @Test
    void examine_tasksComeBackAtOnceAndWorkersIdle_supposesThatTheyRunLater() {
        Finding finding = rule.examine(deferred().build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "main got 50 tasks back from the full pool in 1 s, while 4 of 8 workers were idle:"
                                + " the tasks came back within 10 µs (workers take 20 ms), so it seems to run them later, and submits nothing in that time");
        assertThat((double) finding.evidence().get("gain")).isCloseTo(8.0 / (4 + 1), within(0.01));
    }

    /** Few tasks that come back explain no idle workers, and few idle workers are chance. */
    @Test
    void examine_tasksComeBackButExplainNoIdleness_isSilent() {
        Windows little = deferred().busy(7).callerRuns(50, 0.0005, caller(50, 0.0005, 0));
        Windows few = deferred().callerRuns(10, 0.0001, caller(10, 0.0001, 0)).seconds(10);
        assertThat(rule.examine(little.build()).finding()).isEmpty();
        assertThat(rule.examine(few.build()).finding()).isEmpty();
    }

    /** It may be the CPUs that keep the workers from having more to do. */
    @Test
    void examine_cpuTimeUnknown_isUnknown() {
        Windows unknown =
                Windows.of("orders").size(16).busy(9.5).tasks(1900).callerRuns(180, 0.9, caller(180, 0.9, 7.2));
        assertThat(rule.examine(unknown.build())).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_otherBottleneckOrUnknown_isClearOrUnknown() {
        assertThat(rule.examine(sick().bottleneck(Bottleneck.OUTSIDE).build())).isEqualTo(Verdict.clear());
        assertThat(rule.examine(sick().bottleneck(Bottleneck.UNKNOWN).build())).isInstanceOf(Verdict.Unknown.class);
    }

    /** A framework's handler runs the task on the submitting thread later, so no run is counted. */
    @Test
    void examine_handlerGotTasksWhileWorkersIdled_saysWhatThatMeans() {
        Windows camel = sick().callerRuns(0, 0).leftToHandler(120);
        Finding finding = rule.examine(camel.build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "the handler got 120 tasks from the full pool in 1 s, while 6.5 of 16 workers were idle: if it runs"
                                + " them on the submitting thread, that thread submits nothing in that time");
        assertThat(rule.examine(camel.busy(15)
                                .doing(Breakdowns.doing(Doing.IDLE, 1, 16))
                                .build())
                        .finding())
                .as("workers are busy to the end")
                .isEmpty();
        assertThat(rule.examine(sick().callerRuns(0, 0).leftToHandler(2).build())
                        .finding())
                .as("two tasks")
                .isEmpty();
    }

    @Test
    void examine_lockHardlyContended_promisesAsMuch() {
        Finding finding = rule.examine(sick().doing(waitingForALock(0.4)).build())
                .finding()
                .orElseThrow();
        assertThat((double) finding.evidence().get("gain")).isCloseTo(1.54, within(0.01));
        assertThat(finding.advice()).doesNotContain("through the lock");
    }

    @Test
    void needs_gainWithoutStacks_asksForStacks() {
        assertThat(rule.needs(sick().build())).containsExactly(Evidence.STACKS);
        assertThat(rule.needs(Windows.of("orders").build())).isEmpty();
    }

    /** Workers of a pool that ends leave. They were idle before, and more of them than there are left. */
    @Test
    void examine_poolThatEnds_countsTheWorkersThatItHad() {
        Windows ending = sick().alive(7)
                .there(16.0 / 7)
                .callerRuns(180, 0.9, caller(540, 2.7, 7.2))
                .state(PoolState.SHUTTING_DOWN);
        Finding finding =
                rule.examine(Windows.history(sick(), sick(), ending)).finding().orElseThrow();
        assertThat(finding.summary()).contains("while 7.2 of 16 workers were idle");
        assertThat((double) finding.evidence().get("gain")).isCloseTo((9.5 + 0.9 * 7.2) / (9.5 + 0.9), within(0.01));
    }

    /** A run of a second that ended early in the window, and two short ones. */
    @Test
    void examine_runBeganBeforeTheWindow_countsAtMostTheWindow() {
        Finding finding = rule.examine(sick().seconds(0.773)
                        .callerRuns(3, 1.32, caller(3, 1.32, 7))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).startsWith("main ran 3 tasks itself for 773 ms in 773 ms");
        assertThat((double) finding.evidence().get("shareOfTime")).isEqualTo(1);
        assertThat(finding.evidence()).containsEntry("timeSpent", "773 ms");
    }

    @Test
    void examine_noneOrTwoRuns_isSilent() {
        assertThat(rule.examine(Windows.of("orders").build()).finding()).isEmpty();
        assertThat(rule.examine(sick().callerRuns(2, 0.9, caller(2, 0.9, 7.2)).build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_severalDispatchers_busiestIsNamedAndAllAreCounted() {
        Finding finding = rule.examine(sick().callerRuns(
                                120, 1.2, new Caller("small", 20, Duration.ofMillis(300), 7), caller(100, 0.9, 7))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).startsWith("main ran 100 tasks itself").contains("(and 1 more thread did so)");
        assertThat(finding.evidence()).containsEntry("dispatchers", 2).containsEntry("tasksRun", 120L);
    }

    /** A pool keeps the names of 32 callers; all others are one, which runs tasks for longer than the window lasts. */
    @Test
    void examine_moreDispatchersThanNames_namesAKnownOne() {
        Caller others = new Caller("(other)", 1000, Duration.ofSeconds(5), 7.2);
        Finding finding = rule.examine(sick().busy(5)
                        .callerRuns(1180, 5.9, others, caller(180, 0.9, 7.2))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .startsWith("main ran 180 tasks itself for 900 ms in 1 s (and at least 1 more thread did so), while");
        assertThat((double) finding.evidence().get("shareOfTime")).isCloseTo(5.9, within(0.001));

        assertThat(rule.examine(sick().busy(5).callerRuns(1000, 5, others).build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .startsWith(
                        "threads that came after the first callers ran 1,000 tasks themselves for 5 s in 1 s, while");
    }

    /** A run that takes three seconds is known in one window of four; the others show idle workers without a reason. */
    @Test
    void examine_runsLongerThanAWindow_looksFurtherBack() {
        Windows quiet = sick().busy(4).tasks(1).service(3).callerRuns(0, 0);
        Windows ended = sick().busy(4).tasks(1).service(3).callerRuns(3, 9, caller(3, 3, 12));
        assertThat(rule.examine(Windows.history(quiet, quiet, quiet, ended)).finding())
                .isPresent();
    }
}
