package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock is named when its queue costs throughput, with place and holder; a short queue is left alone. */
class LockContentionTest {

    private static final List<StackTraceElement> HOLDER = List.of(
            new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
            new StackTraceElement("com.example.Settings", "load", "Settings.java", 40));

    private final Rule rule = new LockContention();

    private static Windows pool(int workers, double waiters) {
        return Windows.of("web")
                .size(workers)
                .busy(workers)
                .queued(50)
                .tasks(100)
                .service(workers / 100.0)
                .process(2, 0.1, 0, 0.1)
                .doing(sample(workers, waiters, true));
    }

    private static Breakdowns sample(int workers, double waiters, boolean holderKnown) {
        Awaited.Lock lock = new Awaited.Lock(
                "com.example.Settings@1a2b",
                true,
                holderKnown ? Optional.of("web-7") : Optional.empty(),
                holderKnown ? HOLDER : List.of(),
                0);
        return Breakdowns.of(workers)
                .with(Doing.WAITING_FOR_LOCK, waiters, "com.example.Settings.get(Settings.java:12)", lock)
                .with(Doing.WAITING_OUTSIDE, workers - waiters);
    }

    @Test
    void examine_nearlyAllWorkersWait_namesClassLineAndHolder() {
        Finding finding = rule.examine(pool(500, 498).build()).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("lock-contention");
        assertThat(finding.summary())
                .isEqualTo("498 of 500 busy workers wait for the monitor of com.example.Settings@1a2b"
                        + " at com.example.Settings.get(Settings.java:12);"
                        + " it is held by web-7 at com.example.Settings.load(Settings.java:40)");
        assertThat(finding.advice()).contains("More workers only lengthen the queue");
        assertThat(finding.evidence()).containsEntry("owner", "web-7").containsEntry("waitingWorkers", 498.0);
    }

    /** The pool does all that comes: without the lock it would do no more. */
    @Test
    void examine_nothingQueues_saysNoGain() {
        Finding finding = rule.examine(pool(16, 12).queued(0).build()).finding().orElseThrow();

        assertThat(finding.evidence()).doesNotContainKey("gainWithoutLock");
        assertThat(finding.advice()).doesNotContain("Without it");
    }

    @Test
    void examine_holderUnknown_saysSo() {
        assertThat(rule.examine(pool(16, 12).doing(sample(16, 12, false)).build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("its holder is unknown");
    }

    @Test
    void examine_twoWorkersTakingTurns_isFound() {
        assertThat(rule.examine(pool(2, 0.95).build()).finding()).isPresent();
        assertThat(rule.examine(pool(2, 0.4).build()).finding()).isEmpty();
    }

    /** A lock held half of the time has a mean queue of one half. */
    @Test
    void examine_shortQueue_isSilent() {
        assertThat(rule.examine(pool(16, 0.5).build()).finding()).isEmpty();
        assertThat(rule.examine(pool(16, 1.9).build()).finding()).isEmpty();
        assertThat(rule.examine(pool(64, 3).build()).finding())
                .as("a twentieth of the pool")
                .isEmpty();
    }

    @Test
    void examine_gain_isAtMostWhatTheCpusAllow() {
        Finding finding = rule.examine(
                        pool(16, 12).process(2, 1, 0, 0.5).cpu(0.01).build())
                .finding()
                .orElseThrow();
        assertThat(finding.evidence().get("gainWithoutLock")).isEqualTo(2.0);
    }

    /** 40 of 100 workers were not seen; of the others 57 wait and 3 do not. They do not count as workers that pass. */
    @Test
    void examine_workersUnseen_areLeftOutOfTheGain() {
        Finding finding = rule.examine(pool(100, 57)
                        .cpu(0.0001)
                        .doing(Breakdowns.of(100).lock(57, "L").with(Doing.WAITING_OUTSIDE, 3))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.evidence().get("gainWithoutLock")).isEqualTo(20.0);
        assertThat(finding.advice())
                .endsWith("Without it expect at least 20× the throughput, if nothing else limits it first.");
    }

    /** What follows from the workers alone holds at the lower bound of their number. */
    @Test
    void examine_waitersNotExactlyKnown_gainIsTheLeast() {
        Awaited.Lock lock = new Awaited.Lock("L", true, Optional.empty(), List.of(), 0);
        Finding finding = rule.examine(pool(20, 15)
                        .cpu(0.0001)
                        .doing(Breakdowns.of(20)
                                .error(1)
                                .with(Doing.WAITING_FOR_LOCK, 15, "a.B.c(B.java:1)", lock)
                                .error(0)
                                .with(Doing.WAITING_OUTSIDE, 5))
                        .build())
                .finding()
                .orElseThrow();
        assertThat((double) finding.evidence().get("gainWithoutLock"))
                .isCloseTo(20 / (20 - (15 - 1.96)), Offset.offset(0.01));
    }

    /** The lock is held 2 of 22 ms: 11 workers keep it busy when all tasks take the same time. */
    @ParameterizedTest
    @ValueSource(ints = {100, 500, 1000})
    void examine_farMoreWorkersThanTheLockNeeds_recommendsAboutAsManyAsDoNotWait(int workers) {
        Finding finding =
                rule.examine(pool(workers, workers - 11).build()).finding().orElseThrow();
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(11, 40);
        assertThat(finding.evidence()).containsEntry("sizeLow", 11);
        assertThat(finding.advice()).contains("While it stays, ");
    }

    /** Those that wait for the other lock are not needed either, whichever of both has more waiters now. */
    @Test
    void examine_twoLocksInTurn_sizeLeavesOutAllWaiters() {
        Windows half = pool(40, 23)
                .doing(Breakdowns.of(40)
                        .lock(23, "a.Lock@1")
                        .lock(15, "a.Lock@2")
                        .with(Doing.SLEEPING, 2));
        Windows one = pool(40, 38).doing(Breakdowns.of(40).lock(38, "a.Lock@1").with(Doing.SLEEPING, 2));
        assertThat(size(half)).isEqualTo(size(one)).isBetween(2, 8);
    }

    private int size(Windows windows) {
        return rule.examine(windows.times(5))
                .finding()
                .orElseThrow()
                .recommendedSize()
                .orElseThrow();
    }

    /** 489 of 500 are seen to wait, give or take 2: 7 to 15 do not. */
    @Test
    void examine_waitersNotExactlyKnown_intervalOfTheSizeIsWider() {
        Awaited.Lock lock = new Awaited.Lock("L", true, Optional.empty(), List.of(), 0);
        Windows unsure = pool(500, 489)
                .doing(Breakdowns.of(500)
                        .error(2)
                        .with(Doing.WAITING_FOR_LOCK, 489, "a.B.c(B.java:1)", lock)
                        .with(Doing.WAITING_OUTSIDE, 11));
        Finding finding = rule.examine(unsure.build()).finding().orElseThrow();
        assertThat((int) finding.evidence().get("sizeLow")).isEqualTo(8);
        assertThat((int) finding.evidence().get("sizeHigh")).isBetween(20, 60);
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(11, 40);
    }

    /** The census counts 490 give or take 5, and the stacks of the other 10 give or take 2. */
    @Test
    void examine_othersKnownBetterThanWaiters_intervalIsThatOfTheOthers() {
        Windows measured = pool(500, 490)
                .doing(Breakdowns.of(500).error(5).lock(490, "L").error(2).with(Doing.SLEEPING, 10));
        Finding finding = rule.examine(measured.build()).finding().orElseThrow();
        assertThat((int) finding.evidence().get("sizeLow")).isEqualTo(7);
        assertThat((int) finding.evidence().get("sizeHigh")).isLessThan(50);
        Windows unseen = pool(500, 490).doing(Breakdowns.of(500).error(5).lock(490, "L"));
        assertThat((int) rule.examine(unseen.build())
                        .finding()
                        .orElseThrow()
                        .evidence()
                        .get("sizeLow"))
                .as("the others were not seen")
                .isLessThan(7);
    }

    /** The workers wait together: in windows of a steady load, 12, 8 and 10 of 40 did not wait for the lock. */
    @Test
    void examine_windowsDiffer_sizeIsThatOfTheirMeanWithTheErrorOfIt() {
        PoolWindow windows = Windows.history(pool(40, 28), pool(40, 32), pool(40, 30));
        Finding finding = rule.examine(windows).finding().orElseThrow();
        assertThat((int) finding.evidence().get("sizeLow")).isEqualTo(8); // 10 - 1.96 * 2 / sqrt(3)
        assertThat(finding.recommendedSize())
                .isEqualTo(rule.examine(pool(40, 30).build())
                        .finding()
                        .orElseThrow()
                        .recommendedSize());
    }

    @Test
    void examine_otherProcessesUseTheCpus_lowerEndLeavesOutWhoWaitsForACpu() {
        Windows computing = pool(500, 489)
                .doing(Breakdowns.of(500)
                        .lock(489, "L")
                        .with(Doing.COMPUTING, 2)
                        .with(Doing.WAITING_FOR_CPU, 9));
        Finding finding = rule.examine(computing
                        .process(2, 0.1, 0, 0.85)
                        .bottleneck(Bottleneck.LOCK)
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(11, 40);
        assertThat(finding.evidence()).containsEntry("sizeLow", 2);
    }

    /** The holder waits outside, and so do the others: none of the eleven wants a CPU. */
    @Test
    void examine_otherProcessesUseTheCpusButNoWorkerWantsOne_hasASize() {
        Finding finding = rule.examine(pool(500, 489).process(2, 0.1, 0, 0.85).build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(11, 40);
    }

    /** What is measured then is the load of others, and wrong as soon as they end. */
    @Test
    void examine_theCpusAreThoseOfOthers_hasNoSizeInTextAndData() {
        Finding finding = rule.examine(pool(500, 489).process(2, 0.1, 0, 0.95).build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.advice()).doesNotContain("as fast as");
        assertThat(finding.evidence()).containsEntry("noSizeBecause", "other processes use 1.8 of 2 CPUs");
    }

    @Test
    void examine_cpuUnknown_hasNeitherSizeNorGain() {
        Finding finding =
                rule.examine(pool(500, 489).cores(2).build()).finding().orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.evidence()).doesNotContainKey("gainWithoutLock").containsKey("noSizeBecause");
    }

    @Test
    void examine_waitersUncertainOrUnseen_isUnknown() {
        assertThat(rule.examine(pool(16, 0).doing(Breakdowns.of(16)).build())).isInstanceOf(Verdict.Unknown.class);
        Windows perhaps =
                pool(16, 0).doing(Breakdowns.of(16).error(1).lock(4, "a.Lock@1").with(Doing.COMPUTING, 12));
        assertThat(rule.examine(perhaps.build())).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_otherBottleneck_isClear() {
        assertThat(rule.examine(pool(16, 12).bottleneck(Bottleneck.CPU).build()))
                .isEqualTo(Verdict.clear());
    }

    /** A factor of one is no gain. */
    @Test
    void examine_cpusFull_promisesNothing() {
        Finding finding = rule.examine(
                        pool(16, 12).process(2, 2, 0, 1).cpu(0.02).build())
                .finding()
                .orElseThrow();
        assertThat(finding.evidence().get("gainWithoutLock")).isEqualTo(1.0);
        assertThat(finding.advice()).endsWith("Without it expect hardly more throughput, because the CPUs are full.");
    }

    @Test
    void needs_busyWithoutComputing_asksForStacks() {
        Windows suspect =
                Windows.of("web").size(16).busy(16).tasks(100).service(0.16).cpu(0.001);
        assertThat(rule.needs(suspect.build())).containsExactly(Evidence.STACKS);
    }

    /**
     * 24 workers on two CPUs that compute all the time: they queue for the CPU, and the wait for a lock could not be a
     * longer one.
     */
    @Test
    void needs_tasksUseAllCpus_doesNotAsk() {
        Windows full = Windows.of("web").size(24).busy(24).tasks(2000).service(0.012);
        assertThat(rule.needs(full.cpu(0.00095).build())).isEmpty();
        assertThat(rule.needs(full.cpu(0.0006).build())).containsExactly(Evidence.STACKS);
    }

    @Test
    void needs_confirmedOrComputing_asksAlwaysOrNever() {
        assertThat(rule.needs(pool(16, 12).build())).containsExactly(Evidence.STACKS);
        assertThat(rule.needs(Windows.of("web")
                        .size(4)
                        .busy(4)
                        .tasks(100)
                        .service(0.04)
                        .cpu(0.039)
                        .build()))
                .isEmpty();
        assertThat(rule.needs(Windows.of("web").busy(0.5).build())).isEmpty();
    }
}
