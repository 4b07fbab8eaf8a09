package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HighSystemCpuTest {

    private final Rule rule = new HighSystemCpu();

    /** A convoy: 100 workers hand a fair lock to each other. */
    private static Windows sick() {
        return Windows.of("orders")
                .size(100)
                .busy(100)
                .tasks(10_000)
                .queued(50)
                .service(0.01)
                .cpu(0.00005)
                .system(1, 0.5, 38_000, 2_000)
                .process(2, 0.5, 0.8, 0.7)
                .stacks(convoy(Doing.WAITING_FOR_LOCK));
    }

    private static StackSample convoy(Doing what) {
        return new StackSample(
                10,
                100,
                List.of(new StackSample.Group(what, "com.example.Orders.load(Orders.java:42)", 98, List.of())),
                what == Doing.WAITING_FOR_LOCK
                        ? List.of(new StackSample.Lock(
                                "java.util.concurrent.locks.ReentrantLock$FairSync@1",
                                false,
                                98,
                                "com.example.Orders.load(Orders.java:42)",
                                Optional.empty(),
                                List.of(),
                                0))
                        : List.of(),
                0,
                0,
                Map.of());
    }

    @Test
    void examine_convoy_countsTheSwitches() {
        Finding finding = rule.examine(sick().build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("62 % of the CPU time is spent in the kernel, which switches 40,000 times a second between"
                        + " 100 threads (4.0 times per task, 95 % of them because a thread gave way)");
        assertThat(finding.advice()).startsWith("Shrink the pool to ");
        assertThat(finding.recommendedSize().orElseThrow()).isLessThan(10);
        assertThat(finding.evidence()).containsEntry("lock", "java.util.concurrent.locks.ReentrantLock$FairSync@1");
    }

    /** Two threads for one and a half CPUs: a pool of two cannot shrink to two. */
    @Test
    void examine_asFewWorkersAsCpus_doesNotAdviseToShrink() {
        Finding finding = rule.examine(sick().size(2)
                        .busy(1.9)
                        .tasks(10)
                        .process(1.5, 0.5, 0.8, 0.7)
                        .stacks(convoy(Doing.WAITING_FOR_LOCK))
                        .build())
                .finding()
                .orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.advice()).startsWith("Give the threads less to hand over: ");
    }

    @Test
    void examine_itsOwnIo_isSilent() {
        assertThat(rule.examine(sick().stacks(convoy(Doing.WAITING_OUTSIDE)).build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_fewSwitches_isSilent() {
        assertThat(rule.examine(sick().system(1, 0.5, 2_000, 500).build()).finding())
                .isEmpty();
    }

    @Test
    void examine_littleInTheKernel_isSilent() {
        assertThat(rule.examine(sick().process(2, 1.1, 0.2, 0.7).build()).finding())
                .isEmpty();
    }

    @Test
    void examine_noStacks_asksForThemAndIsSilent() {
        Windows unseen = sick().stacks(new StackSample(0, 0, List.of(), List.of(), 0, 0, Map.of()));
        assertThat(rule.examine(unseen.build()).finding()).isEmpty();
        assertThat(rule.needs(unseen.build())).contains(Evidence.STACKS, Evidence.WORKERS);
    }
}
