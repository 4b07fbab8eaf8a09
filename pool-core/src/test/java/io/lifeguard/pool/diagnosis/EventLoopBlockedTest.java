package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import java.time.Duration;
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
                .endsWith("(1 more event loops were held up)");
        assertThat(finding.advice()).startsWith("Do not allow non-blocking threads to wait");
    }

    @Test
    void examine_microseconds_isSilent() {
        assertThat(rule.examine(window(new EventLoop("nio-1", 10, Duration.ofMillis(1), 0, Duration.ZERO))))
                .isEmpty();
        assertThat(rule.examine(window())).isEmpty();
    }
}
