package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.sizing.Certainty;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A lock is named when its queue costs throughput, with place and holder; a short queue is left alone. */
class LockContentionTest {

    private static final List<StackTraceElement> HOLDER = List.of(
            new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
            new StackTraceElement("com.example.Settings", "load", "Settings.java", 40));

    private final Rule rule = new LockContention();

    private static Windows pool(int workers, double waiters) {
        return Windows.of("web")
                .size(workers)
                .busy(workers)
                .queued(50)
                .tasks(100)
                .service(workers / 100.0)
                .stacks(sample(workers, waiters, true));
    }

    private static StackSample sample(int workers, double waiters, boolean holderKnown) {
        StackSample.Lock lock = new StackSample.Lock(
                "com.example.Settings@1a2b",
                true,
                waiters,
                "com.example.Settings.get(Settings.java:12)",
                holderKnown ? Optional.of("web-7") : Optional.empty(),
                holderKnown ? HOLDER : List.of(),
                0);
        return new StackSample(10, workers, List.of(), List.of(lock), 0, 0, Map.of());
    }

    @Test
    void examine_nearlyAllWorkersWait_namesClassLineAndHolder() {
        Finding finding = rule.examine(pool(500, 498).build()).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("lock-contention");
        assertThat(finding.summary())
                .isEqualTo("498 of 500 busy workers wait for the monitor of com.example.Settings@1a2b"
                        + " at com.example.Settings.get(Settings.java:12);"
                        + " it is held by web-7 at com.example.Settings.load(Settings.java:40)");
        assertThat(finding.advice()).contains("more workers only lengthen the queue");
        assertThat(finding.evidence()).containsEntry("owner", "web-7").containsEntry("waitingWorkers", 498.0);
    }

    @Test
    void examine_holderUnknown_saysSo() {
        assertThat(rule.examine(pool(16, 12).stacks(sample(16, 12, false)).build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("it is not known by whom it is held");
    }

    @Test
    void examine_twoWorkersTakingTurns_isFound() {
        assertThat(rule.examine(pool(2, 0.95).build()).finding()).isPresent();
        assertThat(rule.examine(pool(2, 0.4).build()).finding()).isEmpty();
    }

    /** A lock held half of the time has a mean queue of one half. */
    @Test
    void examine_shortQueue_isSilent() {
        assertThat(rule.examine(pool(16, 0.5).build()).finding()).isEmpty();
        assertThat(rule.examine(pool(16, 1.9).build()).finding()).isEmpty();
        assertThat(rule.examine(pool(64, 3).build()).finding())
                .as("a twentieth of the pool")
                .isEmpty();
    }

    @Test
    void examine_gain_isAtMostWhatTheCpusAllow() {
        Finding finding =
                rule.examine(pool(16, 12).cores(2).cpu(0.01).build()).finding().orElseThrow();
        assertThat(finding.evidence().get("gainWithoutLock")).isEqualTo(2.0);
    }

    /**
     * Where the system does not say how long threads wait for a CPU, and the CPUs are full, a number would be a guess.
     */
    @Test
    void examine_sizePoorlyKnown_isNotAdvised() {
        Windows sure = pool(100, 90).cpu(0.0001).tasks(10_000).service(0.01);
        Windows unsure = pool(100, 90).cpu(0.00019).tasks(10_000).service(0.01).process(2, 1.9, 0.05, 1);
        assertThat(Sizing.of(sure.build()).orElseThrow().certainty()).isNotEqualTo(Certainty.POOR);
        assertThat(Sizing.of(unsure.build()).orElseThrow().certainty()).isEqualTo(Certainty.POOR);

        Finding advised = rule.examine(sure.build()).finding().orElseThrow();
        assertThat(advised.recommendedSize()).isPresent();
        assertThat(advised.advice()).contains("as long as it is there");
        Finding silent = rule.examine(unsure.build()).finding().orElseThrow();
        assertThat(silent.recommendedSize()).isEmpty();
        assertThat(silent.advice()).doesNotContain("as long as it is there");
    }

    /** A factor of one is no gain. */
    @Test
    void examine_cpusFull_promisesNothing() {
        Finding finding =
                rule.examine(pool(16, 12).cores(2).cpu(0.02).build()).finding().orElseThrow();
        assertThat(finding.evidence().get("gainWithoutLock")).isEqualTo(1.0);
        assertThat(finding.advice()).endsWith("Without it expect hardly more throughput, as the CPUs are full.");
    }

    @Test
    void needs_busyWithoutComputing_asksForStacksButNotInEveryWindow() {
        Windows suspect =
                Windows.of("web").size(16).busy(16).tasks(100).service(0.16).cpu(0.001);
        assertThat(rule.needs(suspect.build())).containsExactly(Evidence.STACKS);
        Windows looked = Windows.of("web")
                .size(16)
                .busy(16)
                .tasks(100)
                .service(0.16)
                .cpu(0.001)
                .stacks(sample(16, 0.2, true));
        assertThat(rule.needs(Windows.history(looked, suspect))).isEmpty();
        assertThat(rule.needs(Windows.history(looked, suspect, suspect, suspect, suspect)))
                .isNotEmpty();
    }

    /**
     * 24 workers on two CPUs that compute all the time: they queue for the CPU, and the wait for a lock could not be a
     * longer one.
     */
    @Test
    void needs_tasksUseAllCpus_doesNotAsk() {
        Windows full = Windows.of("web").size(24).busy(24).tasks(2000).service(0.012);
        assertThat(rule.needs(full.cpu(0.00095).build())).isEmpty();
        assertThat(rule.needs(full.cpu(0.0006).build())).containsExactly(Evidence.STACKS);
    }

    @Test
    void needs_confirmedOrComputing_asksAlwaysOrNever() {
        assertThat(rule.needs(pool(16, 12).build())).containsExactly(Evidence.STACKS);
        assertThat(rule.needs(Windows.of("web")
                        .size(4)
                        .busy(4)
                        .tasks(100)
                        .service(0.04)
                        .cpu(0.039)
                        .build()))
                .isEmpty();
        assertThat(rule.needs(Windows.of("web").busy(0.5).build())).isEmpty();
    }
}
