package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import org.junit.jupiter.api.Test;

class CpuThrottledTest {

    private final Rule rule = new CpuThrottled();

    private static Windows sick() {
        return Windows.of("orders").busy(3).process(0.5, 0.45, 0.05, 0.2, 0.3);
    }

    @Test
    void examine_stoppedAgainAndAgain_saysForHowLong() {
        Finding finding = rule.examine(sick().times(5)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "the container's quota of 0.5 CPUs stopped the process for 1.5 s of the last 5 s (30%), with 3 workers busy");
        assertThat(finding.advice()).startsWith("Raise the quota");
        assertThat(finding.recommendedSize()).isEmpty();
    }

    /** What a size achieves changes with each stop. */
    @Test
    void examine_tooManyThreadsForTheQuota_recommendsNoSize() {
        Windows many =
                Simulated.saturated(32, new Demand(0.001, 0.004, 0, 0.5, 0, 1)).process(0.5, 0.48, 0.02, 0.1, 3);
        Finding finding = rule.examine(many.times(3)).finding().orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.evidence()).containsKey("noSizeBecause");
    }

    @Test
    void examine_stoppedOnce_isSilent() {
        Windows calm = Windows.of("orders").busy(3).process(0.5, 0.2, 0.05, 0.2, 0);
        assertThat(rule.examine(Windows.history(calm, calm, sick())).finding()).isEmpty();
        assertThat(rule.examine(Windows.history(sick(), calm, calm)).finding()).isEmpty();
    }

    @Test
    void examine_poolIdle_isSilent() {
        assertThat(rule.examine(sick().busy(0.2).times(5)).finding()).isEmpty();
    }

    @Test
    void examine_quotaNeverReached_isSilent() {
        assertThat(rule.examine(Windows.of("orders").process(2, 1, 0, 0.5).times(5))
                        .finding())
                .isEmpty();
    }
}
