package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unseen failures are found with kind and exception: certain when the future is gone, probable when it is old. */
class FailuresUnseenTest {

    private static final String EXCEPTION = "java.io.IOException";

    private final Rule rule = new FailuresUnseen();

    private static PoolWindow window(Unseen before, Unseen after) {
        return Windows.of("in")
                .failed(9)
                .unseen(List.of(before), List.of(after))
                .build();
    }

    private static Unseen lost(long count) {
        return new Unseen("Import", EXCEPTION, count, 0, Duration.ZERO, 0);
    }

    private static Unseen waiting(long count, long seconds) {
        return new Unseen("Import", EXCEPTION, 0, count, Duration.ofSeconds(seconds), 0);
    }

    @Test
    void examine_futuresCollectedUnasked_isCertain() {
        Finding finding = rule.examine(window(lost(2), lost(11))).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("failures-unseen");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo(
                        "9 failed results were thrown away unseen in the last 1 s: no code asked for the result of the task,"
                                + " for instance Import failed with java.io.IOException");
        assertThat(finding.advice()).contains("execute instead of submit");
    }

    @Test
    void examine_moreFailedThanWereFollowed_saysAtLeastAndOfHowMany() {
        PoolWindow flood = Windows.of("in")
                .failed(14_000)
                .unseen(List.of(lost(0)), List.of(lost(1_280)))
                .build();

        assertThat(rule.examine(flood).finding().orElseThrow().summary())
                .startsWith(
                        "at least 1,280 failed results were thrown away unseen in the last 1 s, in which 14,000 tasks"
                                + " failed: no code asked");
    }

    @Test
    void examine_oldLossOnly_isSilent() {
        assertThat(rule.examine(window(lost(9), lost(9))).finding()).isEmpty();
    }

    @Test
    void examine_notAskedForLong_isProbable() {
        Finding finding =
                rule.examine(window(waiting(3, 120), waiting(3, 121))).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.summary())
                .startsWith("3 failed tasks have probably been forgotten")
                .contains("for 2 min 1 s");
        assertThat(rule.examine(window(waiting(3, 60), waiting(3, 61))).finding())
                .as("asked at the end of a batch")
                .isEmpty();
    }

    @Test
    void examine_periodicTaskStopped_isFoundUntilItIsScheduledAgain() {
        Unseen stopped = new Unseen("Poll", "java.lang.NullPointerException", 0, 0, Duration.ZERO, 1);
        Finding finding = rule.examine(window(stopped, stopped)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("1 periodic task has stopped forever because a run threw an exception that no code has seen:"
                        + " Poll failed with java.lang.NullPointerException");
    }

    /** From outside, a pool without such a task may have others that nobody follows. */
    @Test
    void examine_watchedTaskScheduledAgain_isClearForMoreThanOneWindow() {
        PoolSnapshot well = ExternalPool.unmeasured("theirs", 2, 0, 1, 5, new PoolSnapshot.Limits(2, 2, 100));
        PoolSnapshot sick = well.toBuilder()
                .unseenFailures(List.of(new Unseen("Beat", EXCEPTION, 0, 0, Duration.ZERO, 1)))
                .build();
        PoolWindow first = PoolWindow.between(sick, well).build();
        PoolWindow second =
                PoolWindow.between(well, well).earlier(List.of(first)).build();

        assertThat(rule.examine(PoolWindow.between(well, sick).build()).finding())
                .isPresent();
        assertThat(rule.examine(first)).isEqualTo(Verdict.clear());
        assertThat(rule.examine(second)).isEqualTo(Verdict.clear());
        assertThat(rule.examine(PoolWindow.between(well, well).build())).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_nothingUnseen_isSilent() {
        assertThat(rule.examine(Windows.of("in").failed(9).build()).finding()).isEmpty();
    }
}
