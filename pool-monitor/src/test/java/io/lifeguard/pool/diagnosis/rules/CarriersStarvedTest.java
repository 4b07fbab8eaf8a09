package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Virtual threads that could run and have no carrier. */
class CarriersStarvedTest {

    private static final int LOOKS = 20;
    private static final Mounted HASHING = new Mounted(
            "ForkJoinPool-1-worker-1", Why.COMPUTES, "com.example.Hashes.hash(Hashes.java:31)", "", List.of("a", "b"));
    private static final Mounted INITIALISING = new Mounted(
            "ForkJoinPool-1-worker-2",
            Why.CLASS_INITIALISATION,
            "com.example.Rates.<clinit>(Rates.java:12)",
            "com.example.Rates",
            List.of("a"));

    private final Rule rule = new CarriersStarved();

    private Verdict examine(int taken, int queued, long delayMillis, Mounted... mounted) {
        return examine(new CarrierLooks(
                2,
                LOOKS,
                taken,
                OptionalInt.of(queued),
                Duration.ofMillis(delayMillis),
                delayMillis < 1_000,
                List.of(mounted),
                OptionalDouble.empty()));
    }

    private Verdict examine(CarrierLooks looks) {
        PoolWindow window = Windows.of("virtual threads").build().toBuilder()
                .subject(PoolWindow.Subject.VIRTUAL_THREADS)
                .seen(CarrierLooks.class, looks)
                .build();
        return rule.examine(window);
    }

    @Test
    void examine_allCarriersCompute_namesTheLineAndTheDelay() {
        Finding finding = examine(20, 85, 400, HASHING, HASHING).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo("virtual threads wait for a carrier: a new one started 400 ms late, and 85 threads queue;"
                        + " 2 of 2 carriers have a thread that computes at com.example.Hashes.hash(Hashes.java:31)");
        assertThat(finding.advice()).contains("bounded pool of platform threads");
        assertThat(finding.evidence()).containsEntry("why", "COMPUTES").containsEntry("queued", 85);
    }

    @Test
    void examine_nothingStartsForSeconds_isCritical() {
        Finding finding = examine(20, 2_076, 8_000, INITIALISING).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .contains("a new one has not started for 8 s")
                .contains("the initialisation of class com.example.Rates at com.example.Rates.<clinit>");
        assertThat(finding.evidence()).containsEntry("object", "com.example.Rates");
    }

    /** Sixty threads that compute on two CPUs: all carriers are taken, and none is kept. */
    @Test
    void examine_carriersWaitForCpu_isUnknown() {
        Verdict verdict = examine(waiting(0.93, OptionalInt.of(9), 1_000));
        assertThat(verdict)
                .isEqualTo(Verdict.unknown("what keeps virtual threads from starting: the carriers waited for a CPU"
                        + " themselves for 93% of the time"));
        assertThat(examine(waiting(0.5, OptionalInt.of(9), 1_000))
                        .finding()
                        .orElseThrow()
                        .evidence())
                .containsEntry("cpuWait", 0.5);
        assertThat(examine(waiting(0.7, OptionalInt.of(9), 200)))
                .as("the rest is 60 ms")
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(examine(waiting(0.88, OptionalInt.of(9), 2_000)))
                .as("the rest is 240 ms, but of carriers that get an eighth of a CPU")
                .isInstanceOf(Verdict.Unknown.class);
        assertThat(examine(waiting(0.5, OptionalInt.empty(), 1_500)))
                .as("before Java 24, which needs a second")
                .isInstanceOf(Verdict.Unknown.class);
    }

    private static CarrierLooks waiting(double cpuWait, OptionalInt queued, long delayMillis) {
        Duration delay = Duration.ofMillis(delayMillis);
        return new CarrierLooks(2, LOOKS, LOOKS, queued, delay, false, List.of(HASHING), OptionalDouble.of(cpuWait));
    }

    /** The healthy program that comes closest: a burst that drains, or CPUs that others use. */
    @Test
    void examine_lateButCarriersAreFreeAtSomeLooks_isClear() {
        assertThat(examine(10, 3, 300)).isEqualTo(Verdict.clear());
        assertThat(examine(20, 3, 30)).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_tooFewLooks_isUnknown() {
        CarrierLooks few = new CarrierLooks(
                2, 2, 2, OptionalInt.of(9), Duration.ofSeconds(2), false, List.of(), OptionalDouble.empty());
        assertThat(examine(few).finding()).isEmpty();
        assertThat(examine(few)).isNotEqualTo(Verdict.clear());
    }

    /** Before Java 24 the scheduler tells nothing, so that more delay is needed. */
    @Test
    void examine_onlyTheDelayIsKnown_needsASecond() {
        assertThat(examine(new CarrierLooks(
                        2, 0, 0, OptionalInt.empty(), Duration.ofMillis(900), true, List.of(), OptionalDouble.empty())))
                .isEqualTo(Verdict.clear());
        Finding finding = examine(new CarrierLooks(
                        2,
                        0,
                        0,
                        OptionalInt.empty(),
                        Duration.ofMillis(1_100),
                        false,
                        List.of(),
                        OptionalDouble.empty()))
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("virtual threads wait for a carrier: a new one has not started for 1.1 s;"
                        + " all 2 carriers are taken");
        assertThat(finding.evidence()).doesNotContainKeys("queued", "place");
    }

    /** Users who raise the threshold do not expect more findings where less is known. */
    @Test
    void examine_onlyTheDelayIsKnownAndIsBelowTheRaisedThreshold_isClear() {
        CarrierLooks looks = new CarrierLooks(
                2, 0, 0, OptionalInt.empty(), Duration.ofSeconds(2), false, List.of(), OptionalDouble.empty());
        PoolWindow window = Windows.of("virtual threads").build().toBuilder()
                .subject(PoolWindow.Subject.VIRTUAL_THREADS)
                .seen(CarrierLooks.class, looks)
                .thresholds(Map.of("carriers-starved.delay", 3.0))
                .build();

        assertThat(examine(looks).finding()).isPresent();
        assertThat(rule.examine(window)).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_windowOfAPool_isUnknown() {
        assertThat(rule.examine(Windows.of("pool").build()).finding()).isEmpty();
        assertThat(rule.examines()).isEqualTo(PoolWindow.Subject.VIRTUAL_THREADS);
    }
}
