package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A queue that grows beyond chance is called out with its end; a burst that drains is not. */
class QueueGrowingTest {

    private final Rule rule = withHeap(400_000_000);

    /** The rule, with windows of a process that has so much heap left. */
    private static Rule withHeap(long free) {
        return window -> new QueueGrowing()
                .examine(window.toBuilder().freeHeap(OptionalLong.of(free)).build());
    }

    private static Windows step(long in, long out, int before, int after) {
        return Windows.of("mail")
                .size(4)
                .busy(4)
                .tasks(in, out)
                .queued(before, after)
                .capacity(1000);
    }

    private static PoolWindow growing(int capacity) {
        Windows[] all = new Windows[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = step(200, 120, 80 * i, 80 * (i + 1)).capacity(capacity);
        }
        return Windows.history(all);
    }

    @Test
    void examine_boundedQueueGrows_saysWhenItIsFull() {
        Finding finding = rule.examine(growing(1000)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("queue-growing");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo("80 more tasks/s come into the queue than leave it (200 in, 120 out): the queue has grown"
                        + " from 240 to 400 in 2 s; it is full in about 7.5 s");
    }

    /** Workers of pools that feed each other enqueue beyond the capacity, where there is no room left. */
    @Test
    void examine_queueGrowsBeyondItsCapacity_doesNotSayWhenItIsFull() {
        Finding finding = rule.examine(growing(16)).finding().orElseThrow();
        assertThat(finding.summary())
                .endsWith("; it is full, and grows beyond its capacity, because pools submit to each other");
        assertThat(finding.evidence()).doesNotContainKeys("secondsLeft", "queueCapacity");
    }

    @Test
    void examine_queueHasJustBecomeFull_saysSo() {
        assertThat(rule.examine(growing(400)).finding().orElseThrow().summary()).endsWith("; it is full");
    }

    /** Four workers have taken a task each and ended none: 4 of 77 have left the queue, 36.5 + 2 = 38.5. */
    @Test
    void examine_tasksTakenAndNotCompleted_figuresAgree() {
        Windows[] all = {
            step(17, 0, 0, 13).seconds(0.5),
            step(20, 0, 13, 33).seconds(0.5),
            step(20, 0, 33, 53).seconds(0.5),
            step(20, 0, 53, 73).seconds(0.5)
        };
        Finding finding = rule.examine(Windows.history(all)).finding().orElseThrow();
        assertThat(finding.summary())
                .startsWith("37 more tasks/s come into the queue than leave it (39 in, 2 out): the queue has grown"
                        + " from 0 to 73 in 2 s");
        assertThat(finding.evidence())
                .containsEntry("growthPerSecond", 36.5)
                .containsEntry("arrivalsPerSecond", 38.5)
                .containsEntry("departuresPerSecond", 2.0);
    }

    /** Its tasks are not counted: a queue that grows from 0 to 40 by chance cannot be told from one that goes on. */
    @Test
    void examine_tasksNotCounted_isFoundOnlyAfterTenWindowsOfGrowth() {
        assertThat(rule.examine(uncounted(0, 10, 20, 30, 40))).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(uncounted(40, 30))).isEqualTo(Verdict.clear());
        assertThat(rule.examine(uncounted(0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 9))).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(uncounted(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
                        .finding()
                        .orElseThrow()
                        .summary())
                .startsWith(
                        "1 more tasks/s come into the queue than leave it: the queue has grown from 0 to 10 in 10 s;"
                                + " it is full in about");
    }

    private static PoolWindow uncounted(int... queued) {
        List<PoolWindow> latestFirst = new ArrayList<>();
        for (int i = 1; i < queued.length; i++) {
            latestFirst.add(
                    0,
                    PoolWindow.between(moment(i - 1, queued[i - 1]), moment(i, queued[i]))
                            .earlier(latestFirst)
                            .build());
        }
        return latestFirst.get(0);
    }

    private static PoolSnapshot moment(int second, int queued) {
        return ExternalPool.unmeasured(
                        "theirs", 4, 4, queued, PoolSnapshot.UNKNOWN, new PoolSnapshot.Limits(4, 4, 100 - queued))
                .toBuilder()
                .nanoTime(second * 1_000_000_000L)
                .build();
    }

    @Test
    void examine_figuresOfDifferentSize_areRoundedAlike() {
        Windows[] all = new Windows[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = step(102, 0, 47 * i, 47 * (i + 1)).seconds(0.97);
        }
        assertThat(rule.examine(Windows.history(all)).finding().orElseThrow().summary())
                .startsWith("48 more tasks/s come into the queue than leave it (105 in, 57 out)");
    }

    @Test
    void examine_unboundedQueueGrows_saysWhenTheMemoryIsUsedUp() {
        Finding finding = rule.examine(growing(Integer.MAX_VALUE)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .endsWith("it has no bound, and the free heap is used up in about 83 min 20 s if a waiting task keeps"
                        + " 1,000 bytes");
        assertThat(finding.advice()).contains("(BlockingWaitPolicy)");
        assertThat(withHeap(4_000_000)
                        .examine(growing(Integer.MAX_VALUE))
                        .finding()
                        .orElseThrow()
                        .severity())
                .isEqualTo(Severity.CRITICAL);
    }

    @Test
    void examine_freeHeapIsUnknown_saysNothingOfTheMemory() {
        Finding finding =
                new QueueGrowing().examine(growing(Integer.MAX_VALUE)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary()).endsWith("; it has no bound");
        assertThat(finding.evidence()).doesNotContainKey("secondsLeft");
    }

    @Test
    void examine_manyHours_areWrittenAsHoursOrDays() {
        String summary = withHeap(4_000_000_000L)
                .examine(growing(Integer.MAX_VALUE))
                .finding()
                .orElseThrow()
                .summary();
        assertThat(summary).contains("in about 13 h 53 min");
        assertThat(withHeap(40_000_000_000L)
                        .examine(growing(Integer.MAX_VALUE))
                        .finding()
                        .orElseThrow()
                        .summary())
                .contains("in about 6 days");
    }

    @Test
    void examine_burstThatDrains_isSilent() {
        Windows burst = step(500, 120, 0, 380);
        PoolWindow draining = Windows.history(
                burst, step(20, 120, 380, 280), step(20, 120, 280, 180), step(20, 120, 180, 80), step(20, 100, 80, 0));
        assertThat(rule.examine(draining).finding()).isEmpty();
        PoolWindow twice = Windows.history(
                step(20, 120, 380, 280), step(20, 120, 280, 180), step(20, 120, 180, 80), step(20, 100, 80, 0), burst);
        assertThat(rule.examine(twice).finding()).isEmpty();
    }

    /**
     * 500 in and 396 out a second, in windows of a quarter of a second: 26 more in each, where chance makes differences
     * of 15.
     */
    @Test
    void examine_growsSlowly_isSeenInMoreWindows() {
        assertThat(rule.examine(slowly(5)).finding()).isEmpty();
        assertThat(rule.examine(slowly(8)).finding().orElseThrow().summary()).contains("from 0 to 208 in 2 s");
    }

    private static PoolWindow slowly(int windows) {
        Windows[] all = new Windows[windows];
        for (int i = 0; i < all.length; i++) {
            all[i] = step(125, 99, 26 * i, 26 * (i + 1)).seconds(0.25);
        }
        return Windows.history(all);
    }

    /** 1,000 in and 1,000 out a second: chance alone makes differences of 100 in five seconds. */
    @Test
    void examine_randomWalk_isSilent() {
        Windows[] all = new Windows[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = step(1005, 1000, 5 * i, 5 * (i + 1));
        }
        assertThat(rule.examine(Windows.history(all)).finding()).isEmpty();
    }

    @Test
    void examine_fullQueueOrFewWindows_isSilent() {
        assertThat(rule.examine(step(120, 120, 1000, 1000).times(6)).finding()).isEmpty();
        assertThat(rule.examine(step(200, 120, 0, 80).build()).finding()).isEmpty();
    }

    /** A scheduled pool's queue holds what is due later. */
    @Test
    void examine_workersIdle_isSilent() {
        Windows[] all = new Windows[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = step(100, 0, 100 * i, 100 * (i + 1)).busy(0).capacity(Integer.MAX_VALUE);
        }
        assertThat(rule.examine(Windows.history(all)).finding()).isEmpty();
    }
}
