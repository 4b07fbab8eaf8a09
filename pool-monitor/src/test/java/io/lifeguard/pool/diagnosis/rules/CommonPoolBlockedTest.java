package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers of the common pool that wait are found, whatever the pool is called; joins that help are left alone. */
class CommonPoolBlockedTest {

    private static final ThreadTimes TIMES =
            new ThreadTimes(Duration.ofMillis(3), Duration.ZERO, 50, 0); // works between two waits

    private final Rule rule = new CommonPoolBlocked();

    private static Windows common(String threads, Breakdowns doing) {
        return Windows.of("shared")
                .size(7)
                .busy(7)
                .queued(12)
                .process(8, 0.1, 0, 0.1)
                .workers(IntStream.rangeClosed(1, 7)
                        .mapToObj(i -> new WorkerWindow(
                                threads + i, i, true, Optional.empty(), Duration.ZERO, Optional.of(TIMES)))
                        .toArray(WorkerWindow[]::new))
                .doing(doing);
    }

    private static Windows common(Breakdowns doing) {
        return common("ForkJoinPool.commonPool-worker-", doing);
    }

    private static Breakdowns waiting(Doing what, double workers) {
        return Breakdowns.of(7).with(what, workers).with(Doing.COMPUTING, 7 - workers);
    }

    @Test
    void examine_workersWaitWhileTasksQueue_saysWhereAndWhoWaits() {
        PoolWindow window = common(waiting(Doing.WAITING_OUTSIDE, 6)).build().toBuilder()
                .waitsOfOthers(Map.of("web", Set.of("shared"), "mail", Set.of("web")))
                .build();
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("6 of 7 workers are in com.example.Orders.load(Orders.java:42) in the common pool and wait,"
                        + " and 12 tasks queue behind them; workers of web wait for it");
        assertThat(new BlockedOnIo().examine(window))
                .as("the common pool is not to be grown")
                .isEqualTo(Verdict.clear());
    }

    /** On two CPUs the common pool has one worker. */
    @Test
    void examine_oneWorkerWaits_saysSoInTheSingular() {
        PoolWindow window = common(waiting(Doing.WAITING_OUTSIDE, 1)).build().toBuilder()
                .thresholds(Map.of(CommonPoolBlocked.SHARE.key(), 0.1))
                .build();
        assertThat(rule.examine(window).finding().orElseThrow().summary())
                .isEqualTo("1 of 7 workers is in com.example.Orders.load(Orders.java:42) in the common pool and waits,"
                        + " and 12 tasks queue behind it");
    }

    /** From outside the queue is not seen. Then the pool may be blocked if no worker is ever idle. */
    @Test
    void examine_queueNotCounted_isFoundIfNoWorkerIsIdle() {
        Finding finding = rule.examine(
                        common(waiting(Doing.WAITING_OUTSIDE, 7)).fromOutside().build())
                .finding()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.summary()).contains("none was seen idle, so tasks probably queue");
        assertThat(finding.evidence()).doesNotContainKey("queued");
        assertThat(rule.examine(
                        common(Breakdowns.of(7).with(Doing.WAITING_OUTSIDE, 5).with(Doing.IDLE, 2))
                                .fromOutside()
                                .build()))
                .isEqualTo(Verdict.clear());
    }

    @Test
    void examine_joinOfOwnTasks_isClear() {
        assertThat(rule.examine(common(Breakdowns.of(7).result(6, "shared").with(Doing.COMPUTING, 1))
                        .build()))
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(common(Breakdowns.of(7).result(6, "mail").with(Doing.COMPUTING, 1))
                                .build())
                        .finding())
                .isPresent();
    }

    /** Nobody helps a worker that waits for a latch, and the part that counts it down is in the queue behind it. */
    @Test
    void examine_waitForLatch_isFoundAndWaitForCompletableFutureIsNot() {
        assertThat(rule.examine(waitingIn("CountDownLatch", "await"))
                        .finding()
                        .orElseThrow()
                        .summary())
                .contains("7 of 7 workers are in com.example.Orders.load(Orders.java:42) in the common pool and wait");
        assertThat(rule.examine(waitingIn("CompletableFuture", "join"))).isEqualTo(Verdict.clear());
    }

    private static PoolWindow waitingIn(String type, String method) {
        Share share = new Share(
                Doing.WAITING_FOR_RESULT,
                Breakdowns.PLACE,
                Estimate.exactly(7),
                List.of(
                        new StackTraceElement("java.util.concurrent." + type, method, null, 1),
                        new StackTraceElement("com.example.Orders", "load", null, 1)),
                Optional.empty());
        return common(Breakdowns.of(7)).build().toBuilder()
                .breakdown(new TimeBreakdown(7, 20, 60, List.of(share), Map.of()))
                .build();
    }

    /** Half of 7 are 3.5 workers. */
    @Test
    void examine_fewWait_isClearOrUnknown() {
        assertThat(rule.examine(common(waiting(Doing.SLEEPING, 3)).build())).isEqualTo(Verdict.clear());
        assertThat(rule.examine(common(Breakdowns.of(7).error(0.5).with(Doing.SLEEPING, 4))
                        .build()))
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(common(waiting(Doing.SLEEPING, 4)).build()).finding())
                .isPresent();
        assertThat(rule.examine(common(Breakdowns.of(7)).build())).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_nothingQueuesOrOtherPool_isClear() {
        assertThat(rule.examine(
                        common(waiting(Doing.WAITING_OUTSIDE, 6)).queued(0).build()))
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(common("ForkJoinPool-1-worker-", waiting(Doing.WAITING_OUTSIDE, 6))
                        .build()))
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(Windows.of("shared").build())).isEqualTo(Verdict.clear());
    }
}
