package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Fill;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Loop;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** An event loop that many short handlers fill. */
class EventLoopFullTest {

    private static final Map<String, Double> PARTS =
            Map.of("com.example.Orders.load", 0.6, "com.example.Audit.write", 0.25);

    private final Rule rule = new EventLoopFull();

    private static Loop loop(double busy, OptionalDouble waits) {
        return new Loop("netty-1", 20, 0, Optional.empty(), Optional.of(new Fill(busy, waits, 5, PARTS)));
    }

    private static PoolWindow group(boolean shared, Loop... loops) {
        return Windows.of("netty").build().toBuilder()
                .subject(PoolWindow.Subject.EVENT_LOOPS)
                .seen(EventLoopLooks.class, new EventLoopLooks(shared ? loops.length : 0, List.of(loops)))
                .build();
    }

    private Finding finding(Loop... loops) {
        return rule.examine(group(false, loops)).finding().orElseThrow();
    }

    private Verdict verdict(Loop loop) {
        return rule.examine(group(false, loop));
    }

    @Test
    void examine_seldomWaits_saysLagAndWhatFillsTheLoop() {
        Finding finding = finding(loop(0.98, OptionalDouble.of(20)));
        assertThat(finding.summary())
                .isEqualTo("event loop netty-1 is at work 98% of the time: one event in a hundred waits for about"
                        + " 225 ms; 60% of it is com.example.Orders.load, 25% of it is com.example.Audit.write");
        assertThat((double) finding.evidence().get("lagP99")).isCloseTo(0.22, within(0.01));
        assertThat(finding.evidence()).containsEntry("place", "com.example.Orders.load");
        assertThat(finding.advice()).contains("pool of its own");
    }

    @Test
    void examine_oneOfThreeLoops_saysWhichShare() {
        Loop idle = new Loop("netty-2", 20, 0, Optional.empty(), Optional.empty());
        assertThat(finding(loop(0.98, OptionalDouble.of(20)), idle, idle).summary())
                .startsWith("1 of 3 event loops of netty is at work 98% of the time");
    }

    @Test
    void examine_neverWaits_saysThatTheLagIsNotKnown() {
        assertThat(finding(loop(1, OptionalDouble.of(0))).summary())
                .contains("hardly ever waits for events")
                .contains("is unknown");
        assertThat(finding(loop(1, OptionalDouble.of(0))).evidence()).doesNotContainKey("lagP99");
    }

    @Test
    void examine_systemSaysNothing_saysWhyTheLagIsNotKnown() {
        assertThat(finding(loop(0.99, OptionalDouble.empty())).summary()).contains("the system does not say");
    }

    @Test
    void examine_shortHandlersAndManyWaits_isClear() {
        assertThat(verdict(loop(0.95, OptionalDouble.of(250)))).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_halfFull_isClear() {
        assertThat(verdict(loop(0.5, OptionalDouble.of(0.1)))).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_oneHandlerHoldsItUp_leavesItToTheOtherRule() {
        Loop held = new Loop(
                "netty-1", 20, 15, Optional.empty(), Optional.of(new Fill(1, OptionalDouble.of(0), 5, Map.of())));
        assertThat(verdict(held)).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_threadsOfADispatcher_mayCompute() {
        assertThat(rule.examine(group(true, loop(1, OptionalDouble.of(0))))).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_nothingKnownOfAnyLoop_isUnknown() {
        assertThat(verdict(new Loop("netty-1", 20, 0, Optional.empty(), Optional.empty())))
                .isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_noLooks_isUnknown() {
        assertThat(rule.examine(Windows.of("p").build())).isInstanceOf(Verdict.Unknown.class);
    }
}
