package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OversizedTest {

    private final Rule rule = new Oversized();

    private static Windows sick() {
        return Windows.of("orders").size(50).busy(4).tasks(80).service(0.05);
    }

    @Test
    void examine_fewBusyForAMinute_shrinksToWhatArrivalsNeed() {
        Finding finding = rule.examine(sick().times(60)).orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.summary())
                .isEqualTo("never more than 8 of 50 workers were busy at once in 60 s, 4.0 in the mean");
        assertThat(finding.advice())
                .isEqualTo(
                        "Shrink the pool to 8: room for the arrivals (80 tasks/s × 50 ms) and for their chance; 42 threads less, and no task waits longer");
        assertThat(finding.recommendedSize()).hasValue(8);
    }

    @Test
    void examine_notSeenForAMinute_isSilent() {
        assertThat(rule.examine(sick().times(59))).isEmpty();
        assertThat(rule.examine(sick().threshold(Oversized.WINDOWS, 10).times(10)))
                .isPresent();
    }

    @Test
    void examine_oneBusyMomentInTheMinute_isSilent() {
        Windows[] all = new Windows[60];
        java.util.Arrays.fill(all, sick());
        all[20] = sick().busy(30);
        assertThat(rule.examine(Windows.history(all))).isEmpty();
    }

    @Test
    void examine_moreThanHalfBusy_isSilent() {
        assertThat(rule.examine(sick().size(12).times(60))).isEmpty();
    }

    @Test
    void examine_somethingWaited_isSilent() {
        assertThat(rule.examine(sick().queued(50).times(60))).isEmpty();
    }

    @Test
    void examine_taskOnItsWayToAnIdleWorker_isStillFound() {
        assertThat(rule.examine(sick().queued(1).times(60))).isPresent();
    }

    @Test
    void examine_hardlyAnyTask_isSilent() {
        assertThat(rule.examine(sick().busy(0.1).tasks(1).times(60))).isEmpty();
    }

    @Test
    void examine_nightlyLull_isSilent() {
        Windows day = sick().busy(20).tasks(1_440_000).seconds(3600);
        Windows[] all = new Windows[61];
        java.util.Arrays.fill(all, sick());
        all[0] = day;
        assertThat(rule.examine(Windows.history(all))).isEmpty();
    }

    @Test
    void examine_workersThatLeaveByThemselves_isSilent() {
        assertThat(rule.examine(sick().limits(0, Integer.MAX_VALUE).times(60))).isEmpty();
    }
}
