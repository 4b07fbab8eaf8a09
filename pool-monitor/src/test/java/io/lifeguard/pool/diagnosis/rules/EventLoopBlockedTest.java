package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Hold;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Loop;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An event loop that a full pool held up for a part of the time. */
class EventLoopBlockedTest {

    private final Rule rule = new EventLoopBlocked();

    private static PoolWindow.Builder window(int looks, int held, Doing doing) {
        PoolWindow any = Windows.of("vert.x-eventloop-thread-0").build();
        return any.toBuilder()
                .subject(PoolWindow.Subject.EVENT_LOOPS)
                .seen(EventLoopLooks.class, looks(looks, held, doing));
    }

    private static EventLoopLooks looks(int looks, int held, Doing doing) {
        return new EventLoopLooks(0, List.of(loop("vert.x-eventloop-thread-0", looks, held, hold(doing, "fetch"))));
    }

    private static Loop loop(String name, int looks, int held, Hold hold) {
        return new Loop(name, looks, held, held == 0 ? Optional.empty() : Optional.of(hold), Optional.empty());
    }

    private static Hold hold(Doing doing, String method) {
        StackTraceElement user = new StackTraceElement("com.example.Prices", method, "Prices.java", 23);
        return new Hold(
                doing,
                user.toString(),
                Duration.ofMillis(400),
                List.of(new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2), user),
                doing == Doing.WAITING_FOR_LOCK
                        ? Optional.of(new Awaited.Lock(
                                "com.example.Prices@1a2b", true, Optional.of("loader-1"), List.of(user), 0))
                        : Optional.empty());
    }

    private static PoolWindow group(boolean shared, Loop... loops) {
        return Windows.of("loops").build().toBuilder()
                .subject(PoolWindow.Subject.EVENT_LOOPS)
                .seen(EventLoopLooks.class, new EventLoopLooks(shared ? loops.length : 0, List.of(loops)))
                .build();
    }

    private String summary(PoolWindow window) {
        return rule.examine(window).finding().orElseThrow().summary();
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
                        + " so it was seen in 9 of the last 10 looks; no other event or task of that loop is handled"
                        + " meanwhile");
        assertThat(finding.advice()).contains("executeBlocking");
    }

    @Test
    void examine_severalLoopsAtOneLine_areOneFindingWithTheLock() {
        Hold lock = hold(Doing.WAITING_FOR_LOCK, "fetch");
        PoolWindow window = group(
                false,
                loop("loops-1", 10, 9, lock),
                loop("loops-2", 10, 8, lock),
                loop("loops-3", 10, 10, hold(Doing.SLEEPING, "retry")),
                loop("loops-4", 10, 0, lock));
        assertThat(summary(window))
                .isEqualTo("2 of 4 event loops of loops wait for the lock com.example.Prices@1a2b at"
                        + " com.example.Prices.fetch(Prices.java:23), held by loader-1 at"
                        + " com.example.Prices.fetch(Prices.java:23): so they were seen in 17 of the last 20 looks; no"
                        + " other event or task of those loops is handled meanwhile");
        assertThat(rule.examine(window).finding().orElseThrow().evidence())
                .containsEntry("owner", "loader-1")
                .containsKey("ownerStack")
                .containsEntry("heldUp", 2);
    }

    @Test
    void examine_oneLoopOfSeveral_isNamed() {
        PoolWindow window = group(
                false,
                loop("loops-1", 10, 9, hold(Doing.COMPUTING, "fetch")),
                loop("loops-2", 10, 0, hold(Doing.COMPUTING, "fetch")));
        assertThat(summary(window))
                .startsWith(
                        "1 of 2 event loops of loops (loops-1) computes for 400 ms or longer without handling its events at com.example.Prices.fetch(Prices.java:23)");
        assertThat(rule.examine(window).finding().orElseThrow().advice()).contains("split it into parts");
    }

    /** The threads of a dispatcher do each other's work, so one that waits is not enough. */
    @Test
    void examine_threadsOfADispatcher_countTogether() {
        Hold hold = hold(Doing.SLEEPING, "fetch");
        assertThat(rule.examine(group(
                        true,
                        loop("d-1", 10, 6, hold),
                        loop("d-2", 10, 0, hold),
                        loop("d-3", 10, 0, hold),
                        loop("d-4", 10, 0, hold))))
                .isEqualTo(Verdict.clear());
        assertThat(summary(group(true, loop("d-1", 10, 8, hold), loop("d-2", 10, 8, hold), loop("d-3", 10, 0, hold))))
                .isEqualTo("2 of 3 threads of loops sleep at com.example.Prices.fetch(Prices.java:23): so they were"
                        + " seen in 16 of the last 30 looks; the other work of that dispatcher waits meanwhile");
    }

    /** A dispatcher starts its threads as it needs them, and those that it has not started count as free. */
    @Test
    void examine_oneCallAtATimeOnADispatcherOfEight_isClear_andTwoAreNoAlarm() {
        Hold call = hold(Doing.WAITING_OUTSIDE, "fetch");
        Loop blocked = loop("d-1", 57, 56, call);
        assertThat(rule.examine(dispatcher(8, blocked, loop("d-2", 57, 0, call))))
                .isEqualTo(Verdict.clear());

        Finding two = rule.examine(dispatcher(8, blocked, blocked)).finding().orElseThrow();
        assertThat(two.severity()).isEqualTo(Severity.WARNING);
        assertThat(two.summary())
                .endsWith("; on average, 6 of the 8 threads of that dispatcher are left for its other work");
        assertThat(rule.examine(dispatcher(2, blocked, blocked))
                        .finding()
                        .orElseThrow()
                        .severity())
                .isEqualTo(Severity.CRITICAL);
    }

    private static PoolWindow dispatcher(int threads, Loop... loops) {
        return group(true, loops).toBuilder()
                .seen(EventLoopLooks.class, new EventLoopLooks(threads, List.of(loops)))
                .build();
    }

    @Test
    void examine_tooFewLooks_isUnknown() {
        assertThat(rule.examine(window(4, 0, Doing.SLEEPING).build())).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(window(5, 0, Doing.SLEEPING).build())).isEqualTo(Verdict.clear());
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
