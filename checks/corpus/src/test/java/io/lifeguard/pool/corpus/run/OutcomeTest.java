package io.lifeguard.pool.corpus.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final Workload SICK =
            Workloads.named("fair-lock-convoy").orElseThrow(); // may be lock-contention as well
    private static final Workload HEALTHY = Workloads.named("idle-night").orElseThrow();

    @Test
    void missed_foundInTime_nothing() {
        assertThat(outcome(SICK, seen("high-system-cpu", 10)).missed()).isEmpty();
    }

    @Test
    void missed_foundTooLate_isMissed() {
        assertThat(outcome(SICK, seen("high-system-cpu", 11)).missed()).containsExactly("high-system-cpu");
    }

    @Test
    void missed_whatIsKnownAfterTwoSecondsOfTheClock_mayComeLater() {
        Workload growing = Workloads.named("more-hashing-than-cpu").orElseThrow();
        assertThat(outcome(growing, seen("queue-growing", 20)).missed()).isEmpty();
        assertThat(outcome(growing, seen("queue-growing", 21)).missed()).containsExactly("queue-growing");
    }

    @Test
    void missed_foundTwice_theFirstCounts() {
        assertThat(outcome(SICK, seen("high-system-cpu", 4), seen("high-system-cpu", 14))
                        .windowsTo("high-system-cpu"))
                .contains(4);
    }

    @Test
    void falseFindings_whatTheLabelAllows_isNotFalse() {
        assertThat(outcome(SICK, seen("lock-contention", 3), seen("pool-leaked", 3))
                        .falseFindings())
                .containsExactly("pool-leaked");
    }

    @Test
    void isRight_healthyAndFound_isWrong() {
        assertThat(outcome(HEALTHY).isRight()).isTrue();
        assertThat(outcome(HEALTHY, seen("oversized", 9)).isRight()).isFalse();
    }

    @Test
    void notRun_sick_missesNothing() {
        Outcome notRun = Outcome.notRun(SICK, "no quota");
        assertThat(notRun.wasRun()).isFalse();
        assertThat(notRun.missed()).isEmpty();
    }

    private static Sighting seen(String id, int window) {
        return new Sighting(id, "pool", window, 0, "");
    }

    private static Outcome outcome(Workload workload, Sighting... sightings) {
        return new Outcome(workload, Arrays.asList(sightings), "", List.of());
    }
}
