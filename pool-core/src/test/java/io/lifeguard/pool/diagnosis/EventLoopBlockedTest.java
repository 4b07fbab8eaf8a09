package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An event loop that a full pool held up for a part of the time. */
class EventLoopBlockedTest {

    private final Rule rule = new EventLoopBlocked();

    private static PoolWindow window(EventLoop... loops) {
        return Windows.of("db").eventLoops(loops).build();
    }

    @Test
    void examine_eventLoopRanTasks_isNamed() {
        Finding finding = rule.examine(window(new EventLoop("nio-1", 4, Duration.ofMillis(400), 0, Duration.ZERO)))
                .orElseThrow();
        assertThat(finding.id()).isEqualTo("event-loop-blocked");
        assertThat(finding.summary())
                .isEqualTo("event loop nio-1 ran 4 of its tasks for 400 ms of 1 s because this pool was full;"
                        + " no connection of that loop was served meanwhile");
        assertThat(finding.advice()).startsWith("Caller-runs is not for event loops");
    }

    @Test
    void examine_eventLoopWaited_isNamedAndWorstFirst() {
        Finding finding = rule.examine(window(
                        new EventLoop("nio-1", 0, Duration.ZERO, 1, Duration.ofMillis(60)),
                        new EventLoop("nio-2", 0, Duration.ZERO, 2, Duration.ofMillis(900))))
                .orElseThrow();
        assertThat(finding.summary())
                .startsWith("event loop nio-2 waited 2 times for room for 900 ms")
                .endsWith("(1 more event loop was held up)");
        assertThat(finding.advice()).startsWith("Do not allow non-blocking threads to wait");
    }

    @Test
    void examine_microseconds_isSilent() {
        assertThat(rule.examine(window(new EventLoop("nio-1", 10, Duration.ofMillis(1), 0, Duration.ZERO))))
                .isEmpty();
        assertThat(rule.examine(window())).isEmpty();
    }

    /** What takes longer than a window is known in one of them only, when it ends; it went on in all. */
    @Test
    void examine_runOfThreeWindows_isFoundInThreeAndCountsOnce() {
        EventLoop loop = new EventLoop("nio-1", 1, Duration.ofMillis(2_900), 0, Duration.ZERO);
        Windows before = Windows.of("db");
        Windows ended = Windows.of("db").eventLoops(loop);
        Windows after = Windows.of("db").eventLoopsBefore(loop);

        assertThat(rule.examine(Windows.history(before, before, before, ended))
                        .orElseThrow()
                        .summary())
                .startsWith("event loop nio-1 ran 1 of its tasks for 2.9 s of 3 s because");
        Finding next = rule.examine(Windows.history(before, before, before, ended, after))
                .orElseThrow();
        assertThat(next.summary()).contains("for 2.9 s of 4 s because");
        assertThat(next.evidence()).containsEntry("shareOfTime", 0.725);
        assertThat(rule.examine(Windows.history(before, before, ended, after, after)))
                .isPresent();
        assertThat(rule.examine(Windows.history(before, ended, after, after, after)))
                .isEmpty();
    }

    @Test
    void examine_runLongerThanThePoolWasWatched_isNoLongerThanTheWindow() {
        Finding finding = rule.examine(window(new EventLoop("nio-1", 1, Duration.ofSeconds(5), 0, Duration.ZERO)))
                .orElseThrow();
        assertThat(finding.summary()).contains("ran 1 of its tasks for 1 s of 1 s");
        assertThat(finding.evidence()).containsEntry("shareOfTime", 1.0);
    }

    private final EventLoopBlocked loops = new EventLoopBlocked();

    private static EventLoopLooks looks(int looks, int held, Doing doing) {
        return new EventLoopLooks(
                "vert.x-eventloop-thread-0",
                Instant.EPOCH,
                looks,
                held,
                doing,
                List.of(
                        new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
                        new StackTraceElement("com.example.Prices", "fetch", "Prices.java", 23)));
    }

    @Test
    void examineLooks_handlerWaits_namesLoopAndLine() {
        Finding finding = loops.examine(looks(10, 9, Doing.WAITING_FOR_IO), Threshold::value)
                .orElseThrow();
        assertThat(finding.pool()).isEqualTo("vert.x-eventloop-thread-0");
        assertThat(finding.summary())
                .isEqualTo(
                        "event loop vert.x-eventloop-thread-0 waits for the network or a file at com.example.Prices.fetch(Prices.java:23):"
                                + " so it was seen in 9 of the last 10 looks; no connection of that loop is served meanwhile");
        assertThat(finding.advice()).contains("executeBlocking");
    }

    @Test
    void examineLooks_rarelyOrFewLooks_isSilent() {
        assertThat(loops.examine(looks(20, 3, Doing.BLOCKED_ON_MONITOR), Threshold::value))
                .isEmpty();
        assertThat(loops.examine(looks(4, 4, Doing.SLEEPING), Threshold::value)).isEmpty();
        assertThat(loops.examine(looks(8, 2, Doing.PARKED), Threshold::value)).isEmpty();
        assertThat(loops.examine(looks(20, 3, Doing.PARKED), each -> 0.1))
                .as("threshold lowered")
                .isPresent();
    }
}
