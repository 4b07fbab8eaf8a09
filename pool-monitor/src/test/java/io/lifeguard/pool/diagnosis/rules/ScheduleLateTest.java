package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Late starts are found with the task that causes them; a pause of the machine is left alone. */
class ScheduleLateTest {

    private final InstrumentedScheduledThreadPoolExecutor scheduler = new InstrumentedScheduledThreadPoolExecutor(1);
    private final Rule rule = beside(scheduler);

    /** The rule, with windows of a process that has this pool. */
    private static Rule beside(InstrumentedPool live) {
        return window -> new ScheduleLate()
                .examine(window.toBuilder()
                        .seen(Peer.All.class, () -> List.of(Peer.of(live)))
                        .build());
    }

    @AfterEach
    void end() {
        scheduler.shutdownNow();
    }

    private Windows window(double meanLateness) {
        return Windows.of(scheduler.name())
                .size(1)
                .busy(0.8)
                .tasks(20)
                .service(0.04)
                .queueWait(meanLateness);
    }

    private static TaskKind kind(String name, long count, double mean) {
        return new TaskKind(name, count, Duration.ofNanos((long) (count * mean * 1e9)), Duration.ZERO, Duration.ZERO);
    }

    private static WorkerWindow running(String kind, double seconds) {
        return new WorkerWindow(
                "scheduler-1", 1, true, Optional.of(kind), Duration.ofNanos((long) (seconds * 1e9)), Optional.empty());
    }

    /** Lateness with a mean of 400 ms: 78 % are later than 100 ms. */
    @Test
    void examine_longTaskKeepsTheOnlyThread_namesIt() {
        Windows before = window(0.4);
        Windows after = window(0.4).kinds(kind("Report", 3, 0.9), kind("Tick", 400, 0.001));
        Finding finding = rule.examine(Windows.history(before, after)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "31 of 40 scheduled starts in 2 s came more than 100 ms late (400 ms on average) in a pool of"
                                + " 1 worker: Report takes 900 ms (3 runs in 2 s)");
        assertThat(finding.advice()).startsWith("Do not let Report occupy the scheduler's threads");
    }

    /** As a count of the rows does when it opens the database. */
    @Test
    void examine_onlyTheFirstRunOfATaskWasLong_isUnknown() {
        Windows started = window(0.4).service(0.01).busy(0.4).kinds(kind("Count", 1, 0.7), kind("Tick", 40, 0.001));
        Windows again = window(0.4).service(0.01).busy(0.4).kinds(kind("Count", 2, 0.7), kind("Tick", 40, 0.001));

        assertThat(rule.examine(Windows.history(window(0.4), started))).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(Windows.history(window(0.4), again)).finding()).isPresent();
    }

    /** The lambdas of a class are one kind: a report of 300 ms among heartbeats has a mean below the limit. */
    @Test
    void examine_longRunsOfAKindWithShortOnes_namesTheKind() {
        Windows before = window(0.4).service(0.06).busy(0.6);
        Windows after = window(0.4).service(0.06).busy(0.6).kinds(kind("Timers (lambda)", 40, 0.06));

        assertThat(rule.examine(Windows.history(before, after))
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("8 runs took more than 100 ms each, and most of the time goes to Timers (lambda)");
        assertThat(rule.examine(Windows.history(before.size(2), after.size(2))))
                .as("another worker was free, so the machine was late")
                .isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_taskThatHasNotEndedKeepsTheThread_namesIt() {
        assertThat(rule.examine(window(0.4).workers(running("Sync", 7)).build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("in a pool of 1 worker: Sync has been running for 7 s");
    }

    /** All tasks of Spring are of one class. */
    @Test
    void examine_frameworkHasWrappedTheTask_namesTheMethodThatItCalled() {
        String wrapper = "org.springframework.scheduling.support.DelegatingErrorHandlingRunnable";
        TimeBreakdown breakdown = Breakdowns.of(1)
                .stack(
                        1,
                        new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
                        new StackTraceElement("com.example.Files", "read", "Files.java", 7),
                        new StackTraceElement("com.example.Imports", "run", "Imports.java", 12),
                        new StackTraceElement(wrapper, "run", "DelegatingErrorHandlingRunnable.java", 54))
                .build();

        Finding finding = rule.examine(window(0.4).workers(running(wrapper, 7)).build().toBuilder()
                        .breakdown(breakdown)
                        .build())
                .finding()
                .orElseThrow();

        assertThat(finding.summary())
                .endsWith(wrapper
                        + " has been running for 7 s, now in com.example.Imports.run at"
                        + " com.example.Files.read(Files.java:7)");
        assertThat(finding.advice()).startsWith("Do not let com.example.Imports.run occupy");
        assertThat(rule.examine(window(0.4).workers(running(wrapper, 7)).build())
                        .finding()
                        .orElseThrow()
                        .advice())
                .as("no stack was taken")
                .startsWith("Do not let long tasks occupy");
    }

    @Test
    void examine_allWorkersBusyWithShortTasks_saysSo() {
        assertThat(rule.examine(Windows.history(
                                window(0.4).service(0.002).busy(1),
                                window(0.4).service(0.002).busy(1).kinds(kind("Tick", 400, 0.002))))
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("in a pool of 1 worker: all workers are busy, mostly with Tick (400 runs)");
    }

    /** No task of the pool is the cause: the machine was late. */
    @Test
    void examine_workersIdleAndTasksShort_isUnknown() {
        assertThat(rule.examine(
                        window(0.4).busy(0.1).kinds(kind("Tick", 20, 0.002)).build()))
                .isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_oneLateStartAfterAPause_isClear() {
        Windows pause = window(2).tasks(1).workers(running("Sync", 7));
        Windows calm = window(0).tasks(0).workers(running("Sync", 7));
        assertThat(rule.examine(Windows.history(pause, calm, calm))).isEqualTo(Verdict.clear());
    }

    /** The long task may come again within a minute. */
    @Test
    void examine_laterOver_isUnknownForAMinuteThenClear() {
        Windows late = window(0.4).workers(running("Sync", 7));
        Windows calm = window(0.0001).workers(running("Sync", 7));
        assertThat(rule.examine(Windows.history(late, calm)).finding()).isPresent();
        assertThat(rule.examine(Windows.history(late, calm, calm))).isInstanceOf(Verdict.Unknown.class);
        Windows[] minute = new Windows[62];
        Arrays.fill(minute, calm);
        minute[0] = late;
        assertThat(rule.examine(Windows.history(minute))).isEqualTo(Verdict.clear());
    }

    /** Nothing has started late yet: the long task still runs. */
    @Test
    void examine_headIsLateWhileTheLongTaskRuns_namesIt() {
        Windows window = window(0.0001).busy(1).oldestQueued(3).workers(running("Sync", 4));
        Finding finding = rule.examine(window.build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("the next scheduled task is 3 s late, because no thread is free in a pool of 1 worker: Sync"
                        + " has been running for 4 s");
        assertThat(finding.advice()).startsWith("Do not let Sync occupy the scheduler's threads");
    }

    @Test
    void examine_settingKnown_namesIt() {
        Neighbours.put(scheduler.name(), new Neighbours.Setting("spring.task.scheduling.pool.size", ""));
        Windows window = window(0.0001).busy(1).oldestQueued(3).workers(running("Sync", 4));
        Finding finding = rule.examine(window.build()).finding().orElseThrow();
        assertThat(finding.advice())
                .endsWith("or use more threads. The size is set with spring.task.scheduling.pool.size.");
    }

    @Test
    void examine_headIsLateButAWorkerIsFree_isClear() {
        assertThat(rule.examine(window(0.0001).busy(0).oldestQueued(3).build())).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_headOfWatchedSchedulerIsLate_saysWhereTheWorkerIs() {
        PoolSnapshot before = watched(Duration.ZERO);
        TimeBreakdown breakdown = Breakdowns.of(1)
                .stack(
                        1,
                        new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
                        new StackTraceElement("com.example.Reports", "build", "Reports.java", 12))
                .build();
        PoolWindow busy = PoolWindow.between(before, watched(Duration.ofSeconds(2)))
                .workers(List.of(running("(unknown)", 0)))
                .breakdown(breakdown)
                .build();
        PoolWindow calm = PoolWindow.between(before, watched(Duration.ZERO)).build();

        Finding finding = new ScheduleLate().examine(busy).finding().orElseThrow();

        assertThat(new ScheduleLate().examine(calm)).isInstanceOf(Verdict.Unknown.class);
        assertThat(finding.summary())
                .isEqualTo("the next scheduled task is 2 s late, because no thread is free in a pool of 1 worker:"
                        + " com.example.Reports.build keeps it, now at com.example.Reports.build(Reports.java:12)");
        assertThat(finding.evidence()).containsEntry("place", "com.example.Reports.build(Reports.java:12)");
    }

    /** Users who raise the threshold do not expect more findings about pools that are seen less well. */
    @Test
    void examine_watchedSchedulerIsLateForLessThanTheRaisedThreshold_isNoFinding() {
        PoolWindow late = PoolWindow.between(watched(Duration.ZERO), watched(Duration.ofSeconds(2)))
                .workers(List.of(running("(unknown)", 0)))
                .build();
        PoolWindow raised = late.toBuilder()
                .thresholds(Map.of("schedule-late.seconds", 3.0))
                .build();

        assertThat(new ScheduleLate().examine(late).finding()).isPresent();
        assertThat(new ScheduleLate().examine(raised).finding()).isEmpty();
        assertThat(new ScheduleLate().needs(raised)).isEmpty();
    }

    /** A minute of windows of a quarter of a second is 15 s, which is less than the usual memory. */
    @Test
    void examine_watchedSchedulerWithShortWindows_isClearBeforeItIsForgotten() {
        PoolSnapshot begin = watched(Duration.ZERO);
        List<PoolWindow> windows = new ArrayList<>();
        for (int i = 0; i < PoolWindow.HISTORY; i++) {
            Duration lateness = i == PoolWindow.HISTORY - 1 ? Duration.ofSeconds(2) : Duration.ZERO; // the oldest
            PoolSnapshot end = watched(lateness).toBuilder()
                    .nanoTime(begin.nanoTime() + 250_000_000)
                    .build();
            windows.add(PoolWindow.between(begin, end).build());
        }
        PoolWindow latest = windows.get(0).toBuilder()
                .earlier(windows.subList(1, windows.size()))
                .build();

        assertThat(new ScheduleLate().examine(latest)).isEqualTo(Verdict.clear());
    }

    private static PoolSnapshot watched(Duration lateness) {
        return ExternalPool.unmeasured("theirs", 1, 1, 1, 0, new PoolSnapshot.Limits(1, 1, Integer.MAX_VALUE))
                .toBuilder()
                .load(new PoolSnapshot.Load(1, 1, 1, lateness))
                .build();
    }

    /** In a pool that is no scheduler the same time is the wait in the queue. */
    @Test
    void examine_noScheduler_isClear() {
        InstrumentedPool other = new FakePool("orders", new FakeClock());
        Rule others = beside(other);
        Windows waiting = Windows.of("orders").queueWait(0.4).workers(running("Sync", 7));
        assertThat(others.examine(waiting.build())).isEqualTo(Verdict.clear());
    }
}
