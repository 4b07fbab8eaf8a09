package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers that wait for tasks in their own queue are found, and those that wait for another pool are not. */
class StarvedByOwnTasksTest {

    private static final String PLACE = "com.example.Merge.sort(Merge.java:31)";

    private final Rule rule = new StarvedByOwnTasks();

    private static Windows pool(double starved, double waiting, long completed) {
        return Windows.of("merge")
                .size(8)
                .busy(8)
                .tasks(completed)
                .queued(5)
                .cpu(0.0001)
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(8)
                        .with(Doing.WAITING_FOR_RESULT, starved, PLACE, new Awaited.Result(Optional.of("merge"), true))
                        .with(Doing.WAITING_FOR_RESULT, waiting - starved, PLACE, null)
                        .with(Doing.COMPUTING, 8 - waiting));
    }

    @Test
    void examine_allWaitForTheirQueue_isADeadlock() {
        Finding finding = rule.examine(pool(8, 8, 0).times(4)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("starved-by-own-tasks");
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("all 8 workers wait at com.example.Merge.sort(Merge.java:31) for results of tasks that sit"
                        + " in their own queue of 5:"
                        + " nothing will ever run again");
        assertThat(finding.advice()).contains("a pool of their own").contains("A larger pool only postpones it");
    }

    /** Who waits at a barrier waits for another party, and not for what is in the queue. */
    @Test
    void examine_allWaitForPartiesOfABarrier_isLeftToStandsStill() {
        PoolWindow window = pool(0, 8, 0).times(4);
        assertThat(rule.examine(window).finding()).isPresent();

        for (String party : List.of("CyclicBarrier", "Phaser", "Exchanger")) {
            WaitChain.Link link = new WaitChain.Link("", "other parties of a " + party, PLACE, List.of());
            WaitChain chain = new WaitChain(8, 8, List.of(link), WaitChain.End.PARTY, "");
            assertThat(rule.examine(window.toBuilder()
                                    .seen(WaitChain.class, chain)
                                    .build())
                            .finding())
                    .as(party)
                    .isEmpty();
        }
    }

    @Test
    void examine_someWait_isAWarning() {
        Finding finding = rule.examine(pool(3, 3, 20).build()).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary()).startsWith("3 of 8 workers wait at").endsWith("sit in their own queue of 5");
    }

    /** With one worker left for the parts, parts leave the queue while their batches still wait for them. */
    @Test
    void examine_someOfTheAwaitedTasksAreRunning_countsWhoWaitsForThem() {
        Finding finding = rule.examine(mixed(1.8, 1.4)).finding().orElseThrow();
        assertThat(finding.summary())
                .startsWith("3 of 8 workers wait at")
                .endsWith("of their own pool, some of which sit in its queue of 5");
        assertThat(finding.evidence()).containsEntry("starvedWorkers", 3.2);

        assertThat(rule.examine(mixed(0, 3.2)).finding())
                .as("no awaited task is in the queue")
                .isEmpty();
    }

    private static PoolWindow mixed(double forQueued, double forRunning) {
        return pool(0, 0, 20)
                .doing(Breakdowns.of(8)
                        .with(
                                Doing.WAITING_FOR_RESULT,
                                forQueued,
                                PLACE,
                                new Awaited.Result(Optional.of("merge"), true))
                        .with(
                                Doing.WAITING_FOR_RESULT,
                                forRunning,
                                PLACE,
                                new Awaited.Result(Optional.of("merge"), false))
                        .with(Doing.COMPUTING, 8 - forQueued - forRunning))
                .build();
    }

    @Test
    void examine_resultNotFoundInTheQueueAndNothingMoves_isDeduced() {
        Finding finding = rule.examine(pool(0, 8, 0).times(4)).finding().orElseThrow();
        assertThat(finding.summary())
                .endsWith(
                        "for results, and the tasks that may bring them wait in their own queue of 5: nothing will ever"
                                + " run again unless something else brings these results");
        assertThat(finding.evidence()).containsEntry("certain", false).containsEntry("deadlock", true);
    }

    /** A standstill that stacks show less well for a moment is not over. */
    @Test
    void examine_resultNotFoundAndNothingMovesYet_isNeitherFoundNorClear() {
        assertThat(rule.examine(starving(pool(0, 8, 0)))).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(starving(pool(0, 8, 20))))
                .as("tasks are completed")
                .isEqualTo(Verdict.clear());
    }

    private static PoolWindow starving(Windows windows) {
        return windows.times(2).toBuilder().bottleneck(Bottleneck.OWN_TASKS).build();
    }

    @Test
    void examine_waitingForAnotherPool_isSilent() {
        assertThat(rule.examine(pool(0, 8, 3).times(4)))
                .as("something is completed, and it is not known where the results are")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(0, 8, 0).times(3))).as("not long enough").isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(
                        pool(0, 0, 3).doing(Breakdowns.of(8).result(8, "other")).times(4)))
                .as("the results are another pool's")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(0, 8, 0).queued(0).times(4)).finding())
                .as("nothing queued")
                .isEmpty();
        assertThat(rule.examine(pool(1, 1, 20).build()).finding())
                .as("one of eight")
                .isEmpty();
    }

    @Test
    void needs_busyWithoutComputingWhileTasksWait_asksForStacks() {
        Windows suspect = Windows.of("merge").size(8).busy(8).tasks(0).queued(5).cpu(0);
        assertThat(rule.needs(suspect.build())).containsExactly(Evidence.STACKS);
        assertThat(rule.needs(suspect.queued(0).build())).isEmpty();
        assertThat(rule.needs(Windows.of("merge").build())).isEmpty();
        assertThat(rule.needs(
                        Windows.of("merge").size(1).busy(1).tasks(0).queued(1).build()))
                .as("the only worker of a pool")
                .containsExactly(Evidence.STACKS);
    }

    @Test
    void examine_onlyWorkerWaits_isADeadlock() {
        Windows one = Windows.of("merge")
                .size(1)
                .busy(1)
                .tasks(0)
                .queued(1)
                .cpu(0)
                .doing(Breakdowns.of(1)
                        .with(Doing.WAITING_FOR_RESULT, 1, "", new Awaited.Result(Optional.of("merge"), true)));

        assertThat(rule.examine(one.times(4)).finding().orElseThrow().summary())
                .startsWith("the only worker waits for results of tasks that sit in its own queue of 1: nothing");
    }
}
