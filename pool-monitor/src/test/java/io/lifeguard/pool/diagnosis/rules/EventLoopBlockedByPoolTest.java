package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An event loop that a full pool held up for a part of the time. */
class EventLoopBlockedByPoolTest {

    private final Rule rule = new EventLoopBlockedByPool();

    private static PoolWindow window(EventLoop... loops) {
        return Windows.of("db").eventLoops(loops).build();
    }

    @Test
    void examine_eventLoopRanTasks_isNamed() {
        Finding finding = rule.examine(window(new EventLoop("nio-1", 4, Duration.ofMillis(400), 0, Duration.ZERO)))
                .finding()
                .orElseThrow();
        assertThat(finding.id()).isEqualTo("event-loop-blocked");
        assertThat(finding.summary())
                .isEqualTo("event loop nio-1 ran 4 of its tasks for 400 ms of 1 s because this pool was full;"
                        + " no other event or task of that loop was handled meanwhile");
        assertThat(finding.advice()).startsWith("Caller-runs is not for event loops");
    }

    @Test
    void examine_eventLoopWaited_isNamedAndWorstFirst() {
        Finding finding = rule.examine(window(
                        new EventLoop("nio-1", 0, Duration.ZERO, 1, Duration.ofMillis(60)),
                        new EventLoop("nio-2", 0, Duration.ZERO, 2, Duration.ofMillis(900))))
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .startsWith("event loop nio-2 waited 2 times for room for 900 ms")
                .endsWith("(1 more event loop was held up)");
        assertThat(finding.advice()).startsWith("Do not allow non-blocking threads to wait");
    }

    @Test
    void examine_microseconds_isSilent() {
        assertThat(rule.examine(window(new EventLoop("nio-1", 10, Duration.ofMillis(1), 0, Duration.ZERO)))
                        .finding())
                .isEmpty();
        assertThat(rule.examine(window()).finding()).isEmpty();
    }

    /** A run longer than a window is known only in the window in which it ends, but went on in all. */
    @Test
    void examine_runOfThreeWindows_isFoundInThreeAndCountsOnce() {
        EventLoop loop = new EventLoop("nio-1", 1, Duration.ofMillis(2_900), 0, Duration.ZERO);
        Windows before = Windows.of("db");
        Windows ended = Windows.of("db").eventLoops(loop);
        Windows after = Windows.of("db").eventLoopsBefore(loop);

        assertThat(rule.examine(Windows.history(before, before, before, ended))
                        .finding()
                        .orElseThrow()
                        .summary())
                .startsWith("event loop nio-1 ran 1 of its tasks for 2.9 s of 3 s because");
        Finding next = rule.examine(Windows.history(before, before, before, ended, after))
                .finding()
                .orElseThrow();
        assertThat(next.summary()).contains("for 2.9 s of 4 s because");
        assertThat(next.evidence()).containsEntry("shareOfTime", 0.725);
        assertThat(rule.examine(Windows.history(before, before, ended, after, after))
                        .finding())
                .isPresent();
        assertThat(rule.examine(Windows.history(before, ended, after, after, after))
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_runLongerThanThePoolWasWatched_isNoLongerThanTheWindow() {
        Finding finding = rule.examine(window(new EventLoop("nio-1", 1, Duration.ofSeconds(5), 0, Duration.ZERO)))
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).contains("ran 1 of its tasks for 1 s of 1 s");
        assertThat(finding.evidence()).containsEntry("shareOfTime", 1.0);
    }

    @Test
    void examine_entryThatStandsForManyLoops_isNotNamed() {
        Finding finding = rule.examine(window(
                        new EventLoop("(other)", 9, Duration.ofSeconds(9), 0, Duration.ZERO),
                        new EventLoop("nio-1", 1, Duration.ofMillis(600), 0, Duration.ZERO)))
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).startsWith("event loop nio-1 ran 1 of its tasks for 600 ms");
    }
}
