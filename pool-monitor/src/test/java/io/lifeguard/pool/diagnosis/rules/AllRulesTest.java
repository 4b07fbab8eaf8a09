package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every rule that comes with the library. */
class AllRulesTest {

    static Stream<Rule> rules() {
        return PoolMonitor.standardRules().stream();
    }

    @Test
    void standardRules_areFoundByServiceLoader() {
        assertThat(rules())
                .extracting(rule -> rule.getClass().getSimpleName())
                .hasSize(29)
                .doesNotHaveDuplicates();
    }

    /**
     * So that a reader finds the same in the same place: what it finds, how, over which time, why so, and what is
     * close.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void javadoc_ofEachRule_hasTheSameParts(Rule rule) throws IOException {
        String type = rule.getClass().getSimpleName();
        String source = Files.readString(
                Path.of("src", "main", "java", "io", "lifeguard", "pool", "diagnosis", "rules", type + ".java"));
        String javadoc = source.substring(source.indexOf("/**"), source.indexOf("public final class " + type));
        assertThat(Pattern.compile("<p><b>([^<]*)\\.</b>")
                        .matcher(javadoc)
                        .results()
                        .map(part -> part.group(1)))
                .map(part -> part.equals("Threshold") ? "Thresholds" : part)
                .startsWith("Formula")
                .containsSubsequence("Formula", "Window", "Thresholds", "Closest healthy workload")
                .endsWith("Closest healthy workload");
    }

    /** An external pool knows no times. No rule may throw because of that. */
    @ParameterizedTest
    @MethodSource("rules")
    void examine_poolThatMeasuresNothing_doesNotThrow(Rule rule) {
        for (Map.Entry<String, PoolSnapshot> kind : Map.of(
                        "idle", external(8, 0, 0),
                        "empty", external(0, 0, 0),
                        "full", external(8, 8, 100))
                .entrySet()) {
            PoolWindow window = sixtyOf(kind.getValue());
            assertThatCode(() -> {
                        rule.examine(window);
                        rule.needs(window);
                    })
                    .as("%s pool", kind.getKey())
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void examine_idlePool_findsNothing(Rule rule) {
        assertThat(rule.examine(Windows.of("db").build()).finding())
                .map(Finding::id)
                .isEmpty();
    }

    /** Missing evidence is not evidence of absence: a rule that cannot know does not say that all is well. */
    @Test
    void examine_busyPoolThatMeasuresNothing_isUnknownToRulesThatNeedMeasurements() {
        PoolWindow window = sixtyOf(external(8, 8, 100));
        assertThat(rules().filter(rule -> rule.examine(window) instanceof Verdict.Unknown))
                .extracting(rule -> rule.getClass().getSimpleName())
                .contains(
                        "DispatcherRunsTasks",
                        "DispatcherSeenRunningTasks",
                        "EventLoopBlockedByPool",
                        "EventLoopFull",
                        "FailuresUnseen",
                        "HighSystemCpu",
                        "LockContention",
                        "Oversized",
                        "StarvedByOwnTasks",
                        "StuckTask");
    }

    /** No rule can forget the one place that decides whether a size and a gain are said. */
    @ParameterizedTest
    @MethodSource("rules")
    void source_ofEachRule_buildsFindingsAndNamesSizesInOnePlaceOnly(Rule rule) throws IOException {
        String source = Files.readString(Path.of(
                "src",
                "main",
                "java",
                "io",
                "lifeguard",
                "pool",
                "diagnosis",
                "rules",
                rule.getClass().getSimpleName() + ".java"));
        assertThat(source)
                .doesNotContain("new Finding(")
                .doesNotContainPattern("\\.recommendedSize\\([^)]")
                .doesNotContain("\"recommendedSize\"")
                .doesNotContain("\"" + Finding.SIZE_LOW + "\"")
                .doesNotContain("\"" + Finding.SIZE_HIGH + "\"");
    }

    /** Nothing is completed, so no size is right, and nothing would be gained, whatever a rule finds. */
    @ParameterizedTest
    @EnumSource
    void examine_poolStandsStill_noRuleSaysASizeOrAGain(Doing doing) {
        Windows moved =
                Windows.of("db").size(32).busy(32).tasks(3_000).queued(90).process(2, 1.9, 0, 1);
        Windows stopped = Windows.of("db")
                .size(32)
                .busy(32)
                .tasks(0)
                .queued(90)
                .process(2, 1.9, 0, 1)
                .callerRuns(3, 0.5)
                .system(1.8, 20, 100, 100)
                .doing(Breakdowns.doing(doing, 32, 32));
        for (Bottleneck bottleneck : Bottleneck.values()) {
            PoolWindow window =
                    Windows.history(moved, stopped, stopped, stopped, stopped, stopped, stopped.bottleneck(bottleneck));
            rules().flatMap(rule -> rule.examine(window).finding().stream()).forEach(finding -> {
                assertThat(finding.recommendedSize()).as("%s", finding).isEmpty();
                assertThat(finding.evidence().keySet())
                        .as("%s", finding)
                        .noneMatch(name -> name.startsWith("gain") || name.startsWith("expected"))
                        .doesNotContain(Finding.SIZE_LOW, Finding.SIZE_HIGH, "tryNext", "certainty");
                assertThat(finding.advice()).doesNotContain("expect ");
            });
        }
    }

    private static PoolSnapshot external(int size, int active, int queued) {
        return ExternalPool.unmeasured("watched", size, active, queued, 1_000, new Limits(8, 8, 100));
    }

    private static PoolWindow sixtyOf(PoolSnapshot snapshot) {
        List<PoolWindow> earlier = new ArrayList<>();
        for (int i = 0; i < 59; i++) {
            earlier.add(PoolWindow.between(snapshot, snapshot).build());
        }
        return PoolWindow.between(snapshot, snapshot).earlier(earlier).build();
    }
}
