package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import org.junit.jupiter.api.Test;

class OversizedTest {

    private final Rule rule = new Oversized();

    private static Windows sick() {
        return Windows.of("orders").size(50).busy(4).tasks(80).service(0.05);
    }

    @Test
    void examine_fewBusyForAMinute_shrinksToWhatArrivalsNeed() {
        Finding finding = rule.examine(sick().times(60)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.summary())
                .isEqualTo("hardly ever more than 8 of 50 workers were busy at once in 60 s, 4 on average");
        assertThat(finding.advice())
                .isEqualTo("Shrink the pool to 8: that is enough for 80 tasks/s of 50 ms each, with some to spare, and"
                        + " saves 42 threads. Keep more if bursts of 9 or more tasks come.");
        assertThat(finding.recommendedSize()).hasValue(8);
    }

    @Test
    void examine_notSeenForAMinute_isSilent() {
        assertThat(rule.examine(sick().times(56)).finding()).isEmpty();
        assertThat(rule.examine(sick().threshold(Oversized.SECONDS, 10).times(10))
                        .finding())
                .isPresent();
    }

    @Test
    void examine_oneBusyMomentInTheMinute_isSilent() {
        Windows[] all = new Windows[60];
        java.util.Arrays.fill(all, sick());
        all[20] = sick().busy(30);
        assertThat(rule.examine(Windows.history(all)).finding()).isEmpty();
    }

    @Test
    void examine_workersStartedAtTheEndOfAMinute_wereNotBusyInIt() {
        Windows[] all = new Windows[61];
        java.util.Arrays.fill(all, sick());
        all[0] = sick().seconds(60).grownFrom(0).there(0.1).busy(0.4).tasks(480);
        assertThat(rule.examine(Windows.history(all)).finding()).isPresent();
    }

    @Test
    void examine_moreThanHalfBusy_isSilent() {
        assertThat(rule.examine(sick().size(12).times(60)).finding()).isEmpty();
    }

    @Test
    void examine_somethingWaited_isSilent() {
        assertThat(rule.examine(sick().queued(50).times(60)).finding()).isEmpty();
    }

    @Test
    void examine_taskOnItsWayToAnIdleWorker_isStillFound() {
        assertThat(rule.examine(sick().queued(1).times(60)).finding()).isPresent();
    }

    @Test
    void examine_hardlyAnyTask_isSilent() {
        assertThat(rule.examine(sick().busy(0.1).tasks(1).times(60)).finding()).isEmpty();
    }

    @Test
    void examine_nightlyLull_isSilent() {
        Windows day = sick().busy(20).tasks(1_440_000).seconds(3600);
        Windows[] all = new Windows[61];
        java.util.Arrays.fill(all, sick());
        all[0] = day;
        assertThat(rule.examine(Windows.history(all)).finding()).isEmpty();
    }

    @Test
    void examine_busiestTimesKeptHardlyAnyWorkerBusy_isNoLull() {
        assertThat(rule.examine(quietAfterBetterTimes(200)).finding()).isPresent();
        assertThat(rule.examine(quietAfterBetterTimes(180)).finding()).isEmpty(); // 1.9 are more than one in a hundred
    }

    private static PoolWindow quietAfterBetterTimes(int workers) {
        Windows[] all = new Windows[61];
        java.util.Arrays.fill(all, sick().size(workers).busy(0.1).tasks(20).service(0.005));
        all[0] = sick().size(workers).busy(1.9).tasks(1_368_000).service(0.005).seconds(3600);
        return Windows.history(all);
    }

    @Test
    void examine_tooFewWorkersToSaveAny_isSilent() {
        assertThat(rule.examine(sick().size(8).busy(0.5).service(0.00625).times(60))
                        .finding())
                .isPresent();
        assertThat(rule.examine(sick().size(7).busy(0.5).service(0.00625).times(60))
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_workersThatLeaveByThemselves_isSilent() {
        assertThat(rule.examine(sick().limits(0, Integer.MAX_VALUE).times(60)).finding())
                .isEmpty();
    }
}
