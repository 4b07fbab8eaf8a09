package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
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
                .doing(convoy(Doing.WAITING_FOR_LOCK));
    }

    private static TimeBreakdown convoy(Doing what) {
        return what == Doing.WAITING_FOR_LOCK
                ? Breakdowns.of(100)
                        .lock(98, "java.util.concurrent.locks.ReentrantLock$FairSync@1")
                        .with(Doing.COMPUTING, 2)
                        .build()
                : Breakdowns.doing(what, 98, 100);
    }

    @Test
    void examine_convoy_countsTheSwitches() {
        Finding finding = rule.examine(sick().build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("62% of the CPU time is spent in the kernel, which switches 40,000 times a second between"
                        + " 100 threads (4.0 times per task, 95% of them because a thread waited)");
        assertThat(finding.recommendedSize())
                .as("the finding about the lock has one")
                .isEmpty();
        assertThat(finding.advice()).startsWith("Reduce switching between threads: ");
        assertThat(finding.evidence()).containsEntry("lock", "java.util.concurrent.locks.ReentrantLock$FairSync@1");
    }

    /** From outside it is not seen how many tasks were completed, so nothing is said of each. */
    @Test
    void examine_tasksNotCounted_saysNothingPerTask() {
        Finding finding = rule.examine(sick().fromOutside().build()).finding().orElseThrow();
        assertThat(finding.summary())
                .endsWith("40,000 times a second between 100 threads (95% of them because a thread waited)");
        assertThat(finding.evidence()).doesNotContainKeys("switchesPerTask", "throughput");
    }

    /** Where the CPU is the limit, and no thread waits for a lock, the finding says how many threads do as much. */
    @Test
    void examine_cpuIsTheLimit_recommendsASize() {
        Windows switching = sick().system(1.9, 90, 38_000, 2_000)
                .cpu(0.00018)
                .process(2, 0.9, 1, 0.96)
                .doing(Breakdowns.of(100).with(Doing.COMPUTING, 2).with(Doing.WAITING_FOR_CPU, 98));
        PoolWindow window = switching.build();
        assertThat(window.bottleneck()).isEqualTo(Bottleneck.CPU);
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.advice()).startsWith("Shrink the pool to ");
        assertThat(finding.recommendedSize().orElseThrow()).isLessThan(20);
        assertThat(finding.evidence()).containsKeys("sizeLow", "sizeHigh");
    }

    /** Publishers give way in a loop until a full ring buffer has room. */
    @Test
    void examine_workersThatYield_namesWhereAndAdvisesToBlock() {
        Finding finding =
                rule.examine(sick().doing(yielding(60)).build()).finding().orElseThrow();
        assertThat(finding.summary()).contains(Breakdowns.PLACE).endsWith("and yield until something has changed");
        assertThat(finding.advice()).contains("wait on a queue or a semaphore");
    }

    @Test
    void examine_fewWorkersThatYield_areNotTheCause() {
        Finding finding =
                rule.examine(sick().doing(yielding(10)).build()).finding().orElseThrow();
        assertThat(finding.summary()).doesNotContain("yield");
    }

    private static TimeBreakdown yielding(double workers) {
        List<StackTraceElement> stack = List.of(
                new StackTraceElement("java.lang.Thread", "yield", "Thread.java", -2),
                new StackTraceElement("com.example.Orders", "load", "Orders.java", 42));
        return new TimeBreakdown(
                100,
                20,
                20,
                List.of(
                        new TimeBreakdown.Share(
                                Doing.COMPUTING, Breakdowns.PLACE, Estimate.exactly(workers), stack, Optional.empty()),
                        new TimeBreakdown.Share(
                                Doing.WAITING_FOR_LOCK,
                                "",
                                Estimate.exactly(100 - workers),
                                List.of(),
                                Optional.empty())),
                Map.of());
    }

    /** The bounds of what was seen decide: 22 workers in I/O may be 25. */
    @Test
    void examine_perhapsItsOwnIo_isUnknown() {
        Windows unsure =
                sick().doing(Breakdowns.of(100).lock(77, "fair").error(2).with(Doing.WAITING_OUTSIDE, 23));
        assertThat(rule.examine(unsure.build())).isInstanceOf(Verdict.Unknown.class);
    }

    /** As many workers as CPUs cannot be too many. */
    @Test
    void examine_asFewWorkersAsCpus_isSilent() {
        assertThat(rule.examine(sick().size(2)
                                .busy(1.9)
                                .tasks(10)
                                .doing(Breakdowns.of(2).lock(1, "fair"))
                                .build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_itsOwnIo_isSilent() {
        assertThat(rule.examine(sick().doing(convoy(Doing.WAITING_OUTSIDE)).build())
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
    void examine_workersNotSeen_asksForStacksAndIsUnknown() {
        Windows unseen = sick().doing(Breakdowns.of(100)).bottleneck(Bottleneck.LOCK);
        assertThat(rule.examine(unseen.build())).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.needs(unseen.build())).contains(Evidence.STACKS, Evidence.WORKERS);
    }
}
