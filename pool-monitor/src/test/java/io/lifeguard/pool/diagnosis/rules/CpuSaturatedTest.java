package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Thresholds;
import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Simulated;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSaturatedTest {

    private final Rule rule = new CpuSaturated();

    @Test
    void examine_poolThreeTimesTooLarge_saysWhatToExpect() {
        Finding finding = rule.examine(Simulated.saturated(64, 0.0015, 0.012).build())
                .finding()
                .orElseThrow();
        assertThat(finding.id()).isEqualTo("cpu-saturated");
        assertThat(finding.summary())
                .isEqualTo(
                        "64 threads queue for 2 CPUs: a task takes 48 ms, of which 72% is waiting for a CPU and 1.5 ms is work");
        assertThat(finding.advice())
                .isEqualTo("Shrink the pool to 26 (23 to 27); expect 64 → 26 threads: at least the same 1,300 tasks/s,"
                        + " service time 48 ms → 20 ms");
        assertThat(finding.recommendedSize()).hasValue(26);
        assertThat(finding.evidence()).containsKeys("runQueueDelay", "cpuTime", "outside", "bookFormula", "certainty");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16, 22, 24, 32})
    void examine_rightSizeOrTooSmall_isSilent(int workers) {
        assertThat(rule.examine(Simulated.saturated(workers, 0.0015, 0.012).build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_cpuOnlyOnAsManyThreadsAsCores_isSilent() {
        assertThat(rule.examine(Simulated.saturated(2, 0.001, 0).build()).finding())
                .isEmpty();
        assertThat(rule.examine(Simulated.saturated(16, 0.001, 0).build()).finding())
                .isPresent();
    }

    /** 26 threads would do if the process had both CPUs for itself: 64 are too many whatever others use. */
    @Test
    void examine_otherProcessesUseTheCpu_hasAWiderIntervalWhereFarTooMany() {
        Finding finding = rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                        .process(2, 1.4, 0.2, 1)
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(14, 24);
        assertThat((int) finding.evidence().get("sizeLow")).isLessThan(22);
        assertThat((int) finding.evidence().get("sizeHigh")).isBetween(25, 30);
        assertThat(finding.advice())
                .startsWith("Shrink the pool to " + finding.recommendedSize().getAsInt() + " (")
                .contains("), while other processes use 0.4 of 2 CPUs; expect 64 → ");
        assertThat(finding.evidence()).containsEntry("sizeHoldsWhile", "while other processes use 0.4 of 2 CPUs");
        assertThat(rule.examine(Simulated.saturated(26, 0.0015, 0.012)
                                .process(2, 1.4, 0.2, 1)
                                .build())
                        .finding())
                .isEmpty();
    }

    /** Threads that wait for a CPU hold locks, so that most others wait for these. */
    @Test
    void examine_locksOfThreadsThatWantACpu_countsThem() {
        Breakdowns locked = Breakdowns.of(64)
                .lock(48, "a.Lock@1")
                .with(Doing.WAITING_FOR_CPU, 14)
                .with(Doing.COMPUTING, 2);
        Finding finding = rule.examine(
                        Simulated.saturated(64, 0.0015, 0.012).doing(locked).build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .contains(
                        "22% is waiting for a CPU, 75% is waiting for locks of threads that want a CPU and 1.5 ms is work");
        Breakdowns fewWantACpu = Breakdowns.of(64).lock(60, "a.Lock@1").with(Doing.WAITING_FOR_CPU, 2);
        assertThat(rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                                .doing(fewWantACpu)
                                .bottleneck(Bottleneck.CPU)
                                .build())
                        .finding())
                .isEmpty();
    }

    /** The model needs no more than the time outside divided by the time on a CPU. */
    @Test
    void examine_tasksNotCounted_sizesByTheWorkersTime() {
        Finding finding = rule.examine(
                        Simulated.saturated(64, 0.0015, 0.012).fromOutside().build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("64 threads queue for 2 CPUs: waiting for a CPU is 72% of the busy workers' time");
        assertThat(finding.recommendedSize())
                .hasValue(Sizing.saturatedSize(ServiceCurve.of(Demand.of(0.0015, 0.012, 2))));
        assertThat(finding.evidence()).containsKeys("sizeLow", "sizeHigh").doesNotContainKey("throughput");
        assertThat(rule.examine(Simulated.saturated(26, 0.0015, 0.012)
                                .fromOutside()
                                .build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_tasksNotCountedAndWorkersUnseen_isUnknown() {
        Breakdowns unseen = Breakdowns.of(64).with(Doing.COMPUTING, 2).with(Doing.WAITING_FOR_CPU, 46);
        assertThat(rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                        .fromOutside()
                        .doing(unseen)
                        .bottleneck(Bottleneck.CPU)
                        .build()))
                .isEqualTo(Verdict.unknown("too little evidence about the workers to say how many are enough"));
    }

    /** Dumps show all stacks, and stop the JVM meanwhile: no thread then runs or waits for a CPU. */
    @Test
    void examine_eachLookMetEachWorker_takesTheRestForStops() {
        Breakdowns stopped =
                Breakdowns.of(64).taken(20 * 64).with(Doing.COMPUTING, 2).with(Doing.WAITING_FOR_CPU, 46);
        assertThat(rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                                .fromOutside()
                                .doing(stopped)
                                .bottleneck(Bottleneck.CPU)
                                .build())
                        .finding())
                .isPresent();
    }

    @Test
    void examine_tasksNotCountedAndOthersUseTheCpu_hasAWiderInterval() {
        Finding finding = rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                        .fromOutside()
                        .process(2, 1.4, 0.2, 1)
                        .bottleneck(Bottleneck.CPU)
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize().orElseThrow()).isBetween(14, 24);
        assertThat(finding.advice()).contains("while other processes use 0.4 of 2 CPUs");
    }

    @Test
    void examine_burstThatKeepsFewBusyInTheMean_isSilent() {
        assertThat(rule.examine(Simulated.saturated(64, 0.0015, 0.012).busy(2).build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_collectorsUseTheCpu_isSilent() {
        ProcessWindow collecting = new ProcessWindow(
                2,
                OptionalDouble.of(1.9),
                OptionalDouble.of(0.1),
                OptionalDouble.empty(),
                OptionalDouble.of(1),
                Optional.of(Duration.ZERO),
                Optional.of(Duration.ofSeconds(4)),
                Duration.ZERO);
        assertThat(rule.examine(Simulated.saturated(64, 0.0015, 0.012)
                                .process(collecting)
                                .build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_thresholdRaised_isSilent() {
        Windows sick = Simulated.saturated(64, 0.0015, 0.012);
        assertThat(rule.examine(sick.threshold(Thresholds.CPU_DELAY, 0.9).build())
                        .finding())
                .isEmpty();
    }

    /** With the CPUs full the monitor has few windows, and long ones. */
    @Test
    void windowsToRaise_longWindowWithTheSystemsTimes_isOne() {
        Windows sick = Simulated.saturated(64, 0.0015, 0.012);
        assertThat(rule.windowsToRaise(sick.seconds(1.9).build())).isEqualTo(1);
        assertThat(rule.windowsToRaise(sick.seconds(1).build())).isEqualTo(2);
        assertThat(rule.windowsToRaise(
                        Windows.of("orders").size(64).busy(64).seconds(1.9).build()))
                .isEqualTo(2);
    }

    @Test
    void windowsToRaise_lateWindowInWhichNearlyAllQueue_isOne() {
        assertThat(rule.windowsToRaise(queueing(1.2, 50))).isEqualTo(1);
        assertThat(rule.windowsToRaise(queueing(1.2, 46))).isEqualTo(2);
        assertThat(rule.windowsToRaise(queueing(1.05, 60))).isEqualTo(2);
    }

    private static PoolWindow queueing(double seconds, double workers) {
        return Windows.of("orders")
                .size(64)
                .busy(64)
                .seconds(seconds)
                .system(seconds, seconds * workers, 0, 0)
                .build();
    }

    @Test
    void needs_cpuFullAndMoreBusyThanCores_asksForTheWorkers() {
        assertThat(rule.needs(Simulated.saturated(64, 0.0015, 0.012).build())).containsExactly(Evidence.WORKERS);
        assertThat(rule.needs(Windows.of("orders").process(2, 0.1, 0, 0.1).build()))
                .isEmpty();
    }
}
