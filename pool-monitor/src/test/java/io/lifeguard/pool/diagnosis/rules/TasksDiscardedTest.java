package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A full pool whose policy throws tasks away. */
class TasksDiscardedTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Rule rule = new TasksDiscarded();

    @Test
    void examine_policyThatDropsTheOldest_saysHowMany() {
        Finding finding = rule.examine(secondOf(new ThreadPoolExecutor.DiscardOldestPolicy(), 20))
                .finding()
                .orElseThrow();

        assertThat(finding.id()).isEqualTo("tasks-discarded");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo("20 of 20 tasks that came in the last 1 s were thrown away, 20/s, and nobody is told: the"
                        + " policy of the full pool is DiscardOldestPolicy, and its queue has room for 4");
        assertThat(finding.evidence()).containsEntry("discarded", 20L).containsEntry("queueCapacity", 4);
        assertThat(finding.recommendedSize()).isEmpty();
    }

    @Test
    void examine_policyThatDropsTheNewest_isFound() {
        assertThat(rule.examine(secondOf(new ThreadPoolExecutor.DiscardPolicy(), 20))
                        .finding()
                        .orElseThrow()
                        .summary())
                .startsWith("20 of 20 tasks that came in the last 1 s were thrown away, 20/s")
                .contains("DiscardPolicy");
    }

    @Test
    void examine_fewOrWhereSomebodyIsTold_isClear() {
        assertThat(rule.examine(secondOf(new ThreadPoolExecutor.DiscardPolicy(), 4))
                        .finding())
                .as("a burst")
                .isEmpty();
        assertThat(rule.examine(secondOf(new ThreadPoolExecutor.AbortPolicy(), 20))
                        .finding())
                .as("the submitter is told")
                .isEmpty();
        assertThat(rule.examine(secondOf((task, executor) -> {}, 20)).finding())
                .as("the handler may count them")
                .isEmpty();
    }

    @Test
    void examine_tasksThatWereDiscardedBefore_isClear() {
        PoolWindow full = secondOf(new ThreadPoolExecutor.DiscardPolicy(), 20);
        PoolSnapshot later = full.after().toBuilder()
                .nanoTime(full.after().nanoTime() + TimeUnit.SECONDS.toNanos(1))
                .build();

        assertThat(rule.examine(PoolWindow.between(full.after(), later)
                                .earlier(List.of(full))
                                .build())
                        .finding())
                .isEmpty();
    }

    @Test
    void examine_fromOutside_isUnknown() {
        assertThat(rule.examine(Windows.of("orders").fromOutside().build())).isEqualTo(StandardRule.UNMEASURED);
    }

    /** By the agent: what is thrown away is not counted, but the queue is full whenever it is looked at. */
    @Test
    void examine_watchedPoolWhoseQueueIsFull_saysThatItIsUnknownHowMany() {
        assertThat(rule.examine(watched(0, 2, 0, 0, 1, 0))
                        .finding()
                        .orElseThrow()
                        .summary())
                .isEqualTo("its queue of 10 was full at 3 of 5 looks in 5 s, and nearly full at the others: each task"
                        + " that comes to a full queue costs one, and nobody is told, because its policy is"
                        + " DiscardPolicy; how many is unknown");
        assertThat(rule.examine(watched(0, 5, 0, 0, 0, 0)).finding())
                .as("it has had room")
                .isEmpty();
        assertThat(rule.examine(watched(0, 2, 0, 1, 1, 1)).finding())
                .as("seldom full")
                .isEmpty();
        assertThat(rule.examine(watched(0, 0)).finding()).as("a burst").isEmpty();
    }

    /** Windows of a second, with so many free places at their ends. */
    private static PoolWindow watched(int... free) {
        List<PoolWindow> windows = new ArrayList<>();
        PoolSnapshot before = at(0, 0);
        for (int i = 0; i < free.length; i++) {
            PoolSnapshot after = at(i + 1, free[i]);
            windows.add(
                    0,
                    PoolWindow.between(before, after)
                            .earlier(windows)
                            .seen(RejectionReason.class, RejectionReason.DISCARDED)
                            .build());
            before = after;
        }
        return windows.get(0);
    }

    private static PoolSnapshot at(int second, int free) {
        return ExternalPool.unmeasured("full", 2, 2, 10 - free, 50L * second, new PoolSnapshot.Limits(2, 2, free))
                .toBuilder()
                .nanoTime(TimeUnit.SECONDS.toNanos(second))
                .build();
    }

    /** A full pool that is given more tasks, of which none runs. */
    private PoolWindow secondOf(RejectedExecutionHandler policy, int tasks) {
        InstrumentedThreadPoolExecutor pool = fixture.closing(InstrumentedThreadPoolExecutor.named("full")
                .size(1)
                .queueCapacity(4)
                .whenSaturated(policy)
                .build());
        Gate gate = fixture.gate();
        pool.execute(gate::passUninterruptibly);
        fixture.await("start", gate.arrived());
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {});
        }
        PoolSnapshot before = pool.snapshot();
        for (int i = 0; i < tasks; i++) {
            try {
                pool.execute(() -> {});
            } catch (RejectedExecutionException expected) { // of the policy that throws
                assertThat(policy).isInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
            }
        }
        PoolSnapshot after = pool.snapshot().toBuilder()
                .nanoTime(before.nanoTime() + TimeUnit.SECONDS.toNanos(1))
                .build();
        gate.open();
        return PoolWindow.between(before, after).build();
    }
}
