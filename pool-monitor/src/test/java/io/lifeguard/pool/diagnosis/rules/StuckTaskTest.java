package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.TaskKind;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.schema.FindingJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A task that runs much longer than its kind does is named with its stack; one that is meant to be long is not. */
class StuckTaskTest {

    private final Rule rule = new StuckTask();

    private static Windows pool(double... runningFor) {
        WorkerWindow[] workers = new WorkerWindow[runningFor.length];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new WorkerWindow(
                    "in-" + (i + 1),
                    i + 1,
                    runningFor[i] > 0,
                    Optional.of("Import"),
                    Duration.ofNanos((long) (runningFor[i] * 1e9)),
                    Optional.empty());
        }
        return Windows.of("in").size(workers.length).busy(1).tasks(10).workers(workers);
    }

    private static TaskKind kind(long count, double mean) {
        Duration wall = Duration.ofNanos((long) (count * mean * 1e9));
        return new TaskKind("Import", count, wall, Duration.ZERO, Duration.ZERO);
    }

    @Test
    void examine_longerThanLimitAndKind_namesWorkerKindAndTime() {
        Finding finding = rule.examine(pool(0, 75, 0.2).kinds(kind(1000, 0.12)).build())
                .finding()
                .orElseThrow();
        assertThat(finding.id()).isEqualTo("stuck-task");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo(
                        "in-2 has been running one task of kind Import for 75 s (such tasks take 120 ms on average)");
        assertThat(rule.windowsToRaise()).isOne();
    }

    @Test
    void examine_stackKnown_isPrinted() {
        List<StackTraceElement> stack = List.of(
                new StackTraceElement("java.lang.Object", "wait", "Object.java", -2),
                new StackTraceElement("com.example.Import", "run", "Import.java", 7));
        TimeBreakdown sample = new TimeBreakdown(1, 1, 1, List.of(), Map.of(1L, stack));
        Finding finding = rule.examine(pool(75).kinds(kind(9, 1)).doing(sample).build())
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).endsWith(", now at com.example.Import.run(Import.java:7)");
        assertThat(finding.evidence()).containsEntry("place", "com.example.Import.run(Import.java:7)");
        assertThat(FindingJson.of(finding)).containsEntry("place", "com.example.Import.run(Import.java:7)");
        assertThat(finding.evidence().get("stack"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(2);
    }

    /** Where users ask for less than the minute, the last look at the worker may have met its task before. */
    @Test
    void examine_stackIsOlderThanTheTask_isNotPrinted() {
        List<StackTraceElement> stack = List.of(new StackTraceElement("com.example.Other", "run", "Other.java", 7));
        TimeBreakdown sample = new TimeBreakdown(1, 1, 1, List.of(), Map.of(1L, stack));
        Windows looked = pool(3).kinds(kind(9, 0.1)).doing(sample);
        Windows running = pool(5).kinds(kind(9, 0.1)).threshold(StuckTask.SECONDS, 5);

        PoolWindow stale = Windows.history(looked, running, running, running, running, running);
        assertThat(rule.examine(stale).finding().orElseThrow().summary()).doesNotContain("now at");
        assertThat(rule.needs(stale)).containsExactly(Evidence.STACKS);

        PoolWindow fresh = Windows.history(looked, running, running, running, running);
        assertThat(rule.examine(fresh).finding().orElseThrow().summary())
                .endsWith("now at com.example.Other.run(Other.java:7)");
        assertThat(rule.needs(fresh)).isEmpty();
    }

    @Test
    void examine_tasksMeantToBeLong_isSilent() {
        assertThat(rule.examine(pool(300).kinds(kind(50, 40)).build()).finding())
                .isEmpty();
        assertThat(rule.examine(pool(900).kinds(kind(50, 40)).build()).finding())
                .isPresent();
    }

    @Test
    void examine_noneOfItsKindHasEnded_isGivenTenMinutes() {
        assertThat(rule.examine(pool(590).build()).finding()).isEmpty();
        assertThat(rule.examine(pool(610).build()).finding().orElseThrow().summary())
                .contains("none of its kind has ever ended");
    }

    @Test
    void examine_shortAndIdle_isSilent() {
        assertThat(rule.examine(pool(59, 0).kinds(kind(1000, 0.1)).build()).finding())
                .isEmpty();
    }

    @Test
    void examine_allWorkersStuckAndTasksWait_isCritical() {
        Finding finding = rule.examine(
                        pool(80, 70).kinds(kind(1000, 0.1)).queued(3).build())
                .finding()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary()).startsWith("in-1 ").endsWith("; so does 1 more of 2 workers");
    }

    @Test
    void examine_workersAreLostOneByOne_saysWhenNoneIsLeft() {
        List<StackTraceElement> stack = List.of(new StackTraceElement("com.example.Shop", "fetch", "Shop.java", 6));
        TimeBreakdown sample = new TimeBreakdown(1, 1, 1, List.of(), Map.of(2L, stack));
        Windows some = pool(0, 40, 0, 22.9, 0, 5.8, 0, 0.1, 0, 0).kinds(kind(1000, 0.03));
        Finding finding = rule.examine(some.doing(sample).build()).finding().orElseThrow();

        assertThat(finding.summary())
                .isEqualTo("3 of 10 workers have not come back from com.example.Shop.fetch(Shop.java:6) for 40 s (such"
                        + " tasks take 30 ms on average); at this rate none is left in 2 min");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.evidence()).containsEntry("stuckWorkers", 3).containsKey("place");
        assertThat(rule.needs(some.doing(TimeBreakdown.unknown(10)).build())).containsExactly(Evidence.STACKS);
    }

    /** As in a loop that does not end for some inputs. */
    @Test
    void standsStill_allWorkersAreLostInALoop_saysWhatTheyDoAndWhere() {
        List<StackTraceElement> stack = List.of(new StackTraceElement("com.example.Shop", "parse", "Shop.java", 6));
        TimeBreakdown loop = new TimeBreakdown(
                2,
                20,
                20,
                List.of(new Share(
                        Doing.COMPUTING,
                        "com.example.Shop.parse(Shop.java:6)",
                        new Estimate(2, 0),
                        stack,
                        Optional.empty())),
                Map.of());
        Windows lost = pool(7, 6).kinds(kind(1000, 0.03)).tasks(0).queued(9, 30).doing(loop);
        Rule standsStill = new StandsStill();

        Finding finding = standsStill
                .examine(Windows.history(lost, lost, lost, lost, lost, lost))
                .finding()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("nothing has been completed for 6 s while 30 tasks queue: all 2 workers compute at"
                        + " com.example.Shop.parse(Shop.java:6), in tasks that do not end");
        assertThat(finding.recommendedSize()).isEmpty();
        Windows oneAtWork =
                pool(7, 2).kinds(kind(1000, 0.03)).tasks(0).queued(9, 30).doing(loop);
        assertThat(standsStill.examine(Windows.history(oneAtWork, oneAtWork)).finding())
                .isEmpty();
    }

    @Test
    void examine_oneIsLateOrAllSinceAPause_isSilent() {
        assertThat(rule.examine(pool(40, 0, 0.1, 0, 0).kinds(kind(1000, 0.03)).build())
                        .finding())
                .as("one")
                .isEmpty();
        assertThat(rule.examine(pool(6, 6.1, 6.2, 0, 0).kinds(kind(1000, 0.03)).build())
                        .finding())
                .as("held up together")
                .isEmpty();
        assertThat(rule.examine(pool(20, 7, 0, 0, 0).kinds(kind(1000, 0.3)).build())
                        .finding())
                .as("such tasks are long")
                .isEmpty();
        assertThat(rule.examine(pool(40, 20, 0, 0, 0)
                                .kinds(kind(1000, 0.03))
                                .tasks(0)
                                .build())
                        .finding())
                .as("nothing moves, which stands-still says")
                .isEmpty();
    }

    @Test
    void examine_thresholdChanged_usesIt() {
        assertThat(rule.examine(pool(3).kinds(kind(1000, 0.1))
                                .threshold(StuckTask.SECONDS, 2)
                                .build())
                        .finding())
                .isPresent();
    }

    @Test
    void needs_nearTheLimit_asksForStacks() {
        assertThat(rule.needs(pool(58.5).kinds(kind(9, 1)).build())).containsExactly(Evidence.STACKS);
        assertThat(rule.needs(pool(50).kinds(kind(9, 1)).build())).isEmpty();
    }
}
