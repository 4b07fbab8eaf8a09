package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers that wait for tasks in their own queue are found, and those that wait for another pool are not. */
class StarvedByOwnTasksTest {

    private final Rule rule = new StarvedByOwnTasks();

    private static Windows pool(double starved, double waiting, long completed) {
        StackSample.Group group = new StackSample.Group(
                Doing.WAITING_FOR_RESULT,
                "com.example.Merge.sort(Merge.java:31)",
                waiting,
                List.of(new StackTraceElement("com.example.Merge", "sort", "Merge.java", 31)));
        return Windows.of("merge")
                .size(8)
                .busy(8)
                .tasks(completed)
                .queued(5)
                .cpu(0.0001)
                .stacks(new StackSample(
                        10, 8, List.of(group), List.of(), starved, waiting - starved, java.util.Map.of()));
    }

    @Test
    void examine_allWaitForTheirQueue_isADeadlock() {
        Finding finding = rule.examine(pool(8, 8, 0).times(4)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("starved-by-own-tasks");
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("all 8 workers wait at com.example.Merge.sort(Merge.java:31) for results of tasks that sit"
                        + " in their own queue of 5:"
                        + " nothing will run any more");
        assertThat(finding.advice()).contains("a pool of their own").contains("A larger pool only postpones it");
    }

    @Test
    void examine_someWait_isAWarning() {
        Finding finding = rule.examine(pool(3, 3, 20).build()).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary()).startsWith("3 of 8 workers wait at").endsWith("sit in their own queue of 5");
    }

    @Test
    void examine_resultNotFoundInTheQueueAndNothingMoves_isDeduced() {
        Finding finding = rule.examine(pool(0, 8, 0).times(4)).finding().orElseThrow();
        assertThat(finding.summary()).contains("that must be in their own queue");
        assertThat(finding.evidence()).containsEntry("certain", false).containsEntry("deadlock", true);
    }

    @Test
    void examine_waitingForAnotherPool_isSilent() {
        assertThat(rule.examine(pool(0, 8, 3).times(4)).finding())
                .as("something is completed")
                .isEmpty();
        assertThat(rule.examine(pool(0, 8, 0).times(3)).finding())
                .as("not long enough")
                .isEmpty();
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
                .stacks(new StackSample(1, 1, List.of(), List.of(), 1, 0, Map.of()));

        assertThat(rule.examine(one.times(4)).finding().orElseThrow().summary())
                .startsWith("the only worker waits for results of tasks that sit in its own queue of 1: nothing");
    }
}
