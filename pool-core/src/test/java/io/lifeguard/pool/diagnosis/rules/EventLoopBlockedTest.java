package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An event loop that a full pool held up for a part of the time. */
class EventLoopBlockedTest {

    private final Rule rule = new EventLoopBlocked();

    private static PoolWindow.Builder window(int looks, int held, Doing doing) {
        PoolWindow any = Windows.of("vert.x-eventloop-thread-0").build();
        return any.toBuilder().eventLoop(looks(looks, held, doing));
    }

    private static EventLoopLooks looks(int looks, int held, Doing doing) {
        return new EventLoopLooks(
                looks,
                held,
                doing,
                List.of(
                        new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
                        new StackTraceElement("com.example.Prices", "fetch", "Prices.java", 23)));
    }

    @Test
    void examine_handlerWaits_namesLoopAndLine() {
        Finding finding = rule.examine(window(10, 9, Doing.WAITING_OUTSIDE).build())
                .finding()
                .orElseThrow();
        assertThat(finding.pool()).isEqualTo("vert.x-eventloop-thread-0");
        assertThat(finding.summary())
                .isEqualTo("event loop vert.x-eventloop-thread-0 waits for the network or a file at"
                        + " com.example.Prices.fetch(Prices.java:23):"
                        + " so it was seen in 9 of the last 10 looks; no connection of that loop is served"
                        + " meanwhile");
        assertThat(finding.advice()).contains("executeBlocking");
    }

    @Test
    void examine_rarelyOrFewLooks_isSilent() {
        assertThat(rule.examine(window(20, 3, Doing.WAITING_FOR_LOCK).build()).finding())
                .isEmpty();
        assertThat(rule.examine(window(4, 4, Doing.SLEEPING).build()).finding()).isEmpty();
        assertThat(rule.examine(window(8, 2, Doing.WAITING_IN_LINE).build()).finding())
                .isEmpty();
        assertThat(rule.examine(window(20, 3, Doing.WAITING_IN_LINE)
                                .thresholds(Map.of("event-loop-blocked.looks", 0.1))
                                .build())
                        .finding())
                .as("threshold lowered")
                .isPresent();
    }

    @Test
    void examine_windowOfAPool_isSilent() {
        assertThat(rule.examine(Windows.of("db").build()).finding()).isEmpty();
    }
}
