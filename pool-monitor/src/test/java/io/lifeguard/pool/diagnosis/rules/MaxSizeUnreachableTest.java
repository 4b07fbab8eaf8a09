package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import org.junit.jupiter.api.Test;

/**
 * A maximum that the queue keeps out of reach, or that the CPUs make useless; silent where the pool needs no more
 * workers.
 */
class MaxSizeUnreachableTest {

    private final Rule rule = new MaxSizeUnreachable();

    private static Windows pool() {
        return Windows.of("jobs")
                .alive(4)
                .limits(4, 32)
                .busy(4)
                .tasks(100)
                .service(0.04)
                .queued(60)
                .capacity(Integer.MAX_VALUE);
    }

    /** A pool that has grown, because its queue is full at a hundred. */
    private static Windows grown(int core, int maximum) {
        return pool().capacity(100)
                .limits(core, maximum)
                .alive(maximum)
                .busy(maximum)
                .doing(Breakdowns.doing(Doing.WAITING_FOR_CPU, maximum - 2, maximum));
    }

    @Test
    void examine_unboundedQueue_isNeverReached() {
        Finding finding = rule.examine(pool().build()).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("max-size-unreachable");
        assertThat(finding.summary())
                .isEqualTo("the pool will never have more than 4 workers: it would grow to 32 only when its queue is"
                        + " full, and that has no bound;"
                        + " 60 tasks wait");
        assertThat(finding.advice()).contains("one size between 4 and 32;");
    }

    @Test
    void examine_settingKnown_isNamedInsteadOfTheBuildersMethod() {
        Windows named = Windows.of("MaxSizeUnreachableTest")
                .alive(4)
                .limits(4, 32)
                .busy(4)
                .tasks(100)
                .service(0.04)
                .queued(60);
        Neighbours.put("MaxSizeUnreachableTest", new Neighbours.Setting("setCorePoolSize of the bean mails", ""));
        for (int capacity : new int[] {Integer.MAX_VALUE, 10_000}) {
            String advice = rule.examine(named.capacity(capacity).build())
                    .finding()
                    .orElseThrow()
                    .advice();
            assertThat(advice)
                    .startsWith("Decide on one size")
                    .doesNotContain("size(")
                    .endsWith(" The size is set with setCorePoolSize of the bean mails.");
        }
    }

    /** A linked queue of the JDK's counts its free places down from the largest int. */
    @Test
    void examine_linkedQueue_isUnbounded() {
        assertThat(rule.examine(pool().capacity(Integer.MAX_VALUE - 7).build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .contains("that has no bound");
    }

    /** The process uses one of two CPUs, another process the other. */
    @Test
    void examine_grownOnCpusThatOthersUse_saysThatGrowingIsUseless() {
        Windows grown = grown(2, 16).process(2, 1, 0, 1).system(1, 15, 50, 900);
        Finding finding = rule.examine(grown.build()).finding().orElseThrow();
        assertThat(finding.recommendedSize()).isEmpty();
        assertThat(finding.evidence()).containsEntry("noSizeBecause", "other processes use 1.0 of 2 CPUs");
        assertThat(finding.advice()).startsWith("Make it static: core = maximum. ");
    }

    @Test
    void examine_coreZeroAndUnboundedQueue_hasOneWorker() {
        Finding finding = rule.examine(pool().limits(0, 32).alive(1).busy(1).build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).startsWith("the pool will never have more than 1 worker: ");
        assertThat(finding.advice()).as("no pool can have none").contains("one size between 1 and 32;");
    }

    @Test
    void examine_longQueue_isReachedTooLate() {
        Finding finding =
                rule.examine(pool().capacity(10_000).build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("the pool stays at 4 workers although 32 are allowed: it grows when 10,000 tasks wait,"
                        + " and by then they wait 100 s (now 60 do)");
        assertThat(rule.examine(pool().capacity(200).build()).finding())
                .as("two seconds")
                .isEmpty();
    }

    @Test
    void examine_grownOnFullCpus_saysThatGrowingIsUseless() {
        Windows grown = grown(2, 16).process(2, 1.9, 0.05, 1).system(1.9, 14, 50, 900);
        Finding finding = rule.examine(grown.build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("the pool has grown from 2 to 16 workers, but 100% of the CPUs are in use and 2 workers"
                        + " fill them:"
                        + " the others only queue for a CPU (88% of their time)");
        assertThat(finding.recommendedSize())
                .as("one more than the CPUs, so that none waits for a worker")
                .hasValue(3);
    }

    /** 18 workers would fill two CPUs if none ever waited for one. By chance they leave an eighth of them idle. */
    @Test
    void examine_grownWhereTasksWaitOutsideToo_keepsWhatTheThroughputNeeds() {
        Windows grown = grown(16, 40).process(2, 1.9, 0.08, 1).system(1.98, 22, 50, 900);
        Finding finding = rule.examine(grown.build()).finding().orElseThrow();
        int size = finding.recommendedSize().orElseThrow();
        ServiceCurve curve = ServiceCurve.of(Demand.of(1.98, 40 - 1.98 - 22, 2));
        assertThat(curve.at(size).throughput()).isGreaterThanOrEqualTo(0.99 * curve.ceiling());
        assertThat(curve.at(size - 1).throughput()).isLessThan(0.99 * curve.ceiling());
        assertThat(finding.advice()).startsWith("Make it static: core = maximum = " + size + " (");
    }

    @Test
    void examine_grownToWhatTheThroughputNeeds_isSilent() {
        Windows grown = grown(16, 24).process(2, 1.9, 0.08, 1).system(1.98, 6, 50, 900);
        assertThat(rule.examine(grown.build()).finding()).isEmpty();
    }

    @Test
    void examine_grownBecauseTasksWaitOutside_isSilent() {
        Windows grown = grown(2, 16).process(2, 1.9, 0.05, 1).system(1.9, 0.3, 50, 900);
        assertThat(rule.examine(grown.build()).finding()).isEmpty();
    }

    /** 300 threads, 40 a minute before; no limit is known. */
    @Test
    void examine_poolWithoutABoundExplodes_saysWhereItsThreadsAre() {
        Windows calm =
                pool().limits(0, Integer.MAX_VALUE).alive(40).busy(40).queued(0).cpu(0.001);
        Windows burst = pool().limits(0, Integer.MAX_VALUE)
                .alive(300)
                .busy(300)
                .queued(0)
                .cpu(0.001)
                .doing(Breakdowns.doing(Doing.WAITING_OUTSIDE, 300, 300));
        Finding finding = rule.examine(Windows.history(calm, burst)).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("the pool has no bound, and has grown from 40 to 300 threads in 2 s; 300 of 300 workers are"
                        + " in com.example.Orders.load(Orders.java:42)");
        assertThat(rule.examine(burst.times(3))).as("stands at 300").isEqualTo(Verdict.clear());
        assertThat(rule.examine(Windows.history(calm, burst.alive(199).busy(199))))
                .isEqualTo(Verdict.clear());
    }

    /** Its threads have no known CPU time, and thousands of virtual threads are normal. */
    @Test
    void examine_virtualThreadsOfAnExecutorExplode_isNoFinding() {
        Windows calm = pool().limits(0, Integer.MAX_VALUE).alive(40).busy(40).queued(0);
        Windows burst = pool().limits(0, Integer.MAX_VALUE).alive(300).busy(300).queued(0);
        assertThat(rule.examine(Windows.history(calm, burst)).finding()).isEmpty();
    }

    /** Growing would not help, so the advice does not say so. */
    @Test
    void examine_lockIsTheLimit_doesNotAdviseToGrow() {
        Windows locked = pool().doing(Breakdowns.of(4).lock(3.5, "a.Lock@1").with(Doing.COMPUTING, 0.5));
        assertThat(rule.examine(locked.build()).finding().orElseThrow().advice())
                .isEqualTo("Decide on one size; core and maximum are the same then. More than the present 4 would not"
                        + " help now.");
    }

    @Test
    void examine_noNeedForMoreWorkers_isSilent() {
        assertThat(rule.examine(pool().queued(0).build()).finding()).isEmpty();
        assertThat(rule.examine(pool().busy(2).build()).finding()).isEmpty();
        assertThat(rule.examine(pool().limits(4, 4).build()).finding()).isEmpty();
        assertThat(rule.examine(pool().limits(4, Integer.MAX_VALUE).build()).finding())
                .as("a scheduled pool")
                .isEmpty();
    }

    @Test
    void needs_grownOnFullCpus_asksForWorkers() {
        Windows grown = grown(2, 16).process(2, 1.9, 0.05, 1);
        assertThat(rule.needs(grown.build())).containsExactly(Evidence.WORKERS);
        assertThat(rule.needs(pool().build())).isEmpty();
    }
}
