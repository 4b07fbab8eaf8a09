package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dispatcher of a pool that does not measure itself. */
class DispatcherSeenRunningTasksTest {

    private final DispatcherSeenRunningTasks rule = new DispatcherSeenRunningTasks();

    private static PoolSnapshot snapshot(long second, Caller... callers) {
        return ExternalPool.unmeasured("theirs", 8, 8, 4, 100 * second, new PoolSnapshot.Limits(8, 8, 0)).toBuilder()
                .nanoTime(Duration.ofSeconds(second).toNanos())
                .saturation(new PoolSnapshot.Saturation(
                        0, 0, Duration.ZERO, Map.of(), List.of(callers), List.of(), List.of()))
                .build();
    }

    private static Caller caller(long looks, long millis, double idle) {
        return new Caller("main", looks, Duration.ofMillis(millis), idle);
    }

    /** Ten seconds, before which it had run tasks for one second with six idle workers. */
    private Verdict examine(Caller after) {
        PoolWindow window = PoolWindow.between(snapshot(0, caller(5, 1_000, 6)), snapshot(10, after))
                .build();
        return rule.examine(
                window.toBuilder().bottleneck(Bottlenecks.of(window)).build());
    }

    @Test
    void examine_workersIdleMeanwhile_namesDispatcherAndGain() {
        // 8 s of 10, 3 idle workers of 8: 8 / (8 - 0.8 * 3 + 0.8) = 1.25
        Finding finding =
                examine(caller(45, 9_000, (1 * 6 + 8 * 3) / 9.0)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("dispatcher-runs-tasks");
        assertThat(finding.summary())
                .isEqualTo("main ran tasks itself for about 8 s of 10 s (seen 40 times), while 3 of 8 workers"
                        + " were idle");
        assertThat(finding.advice()).contains("1.3×");
    }

    @Test
    void examine_workersAreBusyToTheEnd_isClear() {
        assertThat(examine(caller(45, 9_000, 6 / 9.0))).isEqualTo(Verdict.clear());
    }

    /** 8 / (8 - 0.8 * 1.7 + 0.8) = 1.08: chance has taken it below the threshold. */
    @Test
    void examine_gainIsLittleBelowTheThreshold_isUnknown() {
        assertThat(examine(caller(45, 9_000, (1 * 6 + 8 * 1.7) / 9.0))).isInstanceOf(Verdict.Unknown.class);
    }

    /** 8 / (8 - 0.8 * 2 + 0.8) = 1.11: 40 looks tell that it is no chance, and ten do not. */
    @Test
    void examine_sameGain_isFoundAfterManyLooksOnly() {
        double idle = (1 * 6 + 8 * 2) / 9.0;
        assertThat(examine(caller(45, 9_000, idle)).finding()).isPresent();
        assertThat(examine(caller(15, 9_000, idle))).isInstanceOf(Verdict.Unknown.class);
    }

    @Test
    void examine_seenRarelyOrNever_isUnknownAndClearWhenItIsKnownAndNoLongerSeen() {
        assertThat(examine(caller(12, 2_000, 6))).isInstanceOf(Verdict.Unknown.class);
        assertThat(examine(caller(5, 1_000, 6))).isEqualTo(Verdict.clear());
        assertThat(rule.examine(PoolWindow.between(snapshot(0), snapshot(1)).build()))
                .isInstanceOf(Verdict.Unknown.class);
    }

    @ParameterizedTest
    @EnumSource
    void examine_poolHasAnotherBottleneck_isNotFound(Bottleneck bottleneck) {
        Verdict verdict = rule.examine(PoolWindow.between(snapshot(0), snapshot(10, caller(40, 8_000, 3)))
                .bottleneck(bottleneck)
                .build());
        assertThat(verdict.finding().isPresent()).isEqualTo(bottleneck == Bottleneck.DISPATCHER);
    }

    @Test
    void examine_poolThatMeasures_isLeftToTheOtherRule() {
        assertThat(rule.examine(Windows.of("ours").build())).isEqualTo(Verdict.clear());
    }
}
