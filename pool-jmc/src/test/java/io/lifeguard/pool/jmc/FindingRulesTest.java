package io.lifeguard.pool.jmc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.common.util.IPreferenceValueProvider;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.RuleRegistry;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.report.html.JfrHtmlRulesReport;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/** Mission Control finds the rules, and shows what a real recording holds. */
class FindingRulesTest {

    private static final String HOSTILE = "<script>alert(1)</script> {score} {nothing";

    @TempDir
    Path directory;

    @Test
    void rules_areFoundByMissionControl_oneForEachFindingOfTheCatalogue() {
        List<String> expected = new ArrayList<>(List.of("io.lifeguard.other-findings"));
        ServiceLoader.load(Rule.class).stream()
                .map(provider -> provider.get())
                .flatMap(rule -> rule.ids().stream())
                .distinct()
                .forEach(id -> expected.add("io.lifeguard." + id));

        assertThat(expected).hasSizeGreaterThan(10);
        assertThat(ours()).extracting(IRule::getId).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(ours()).extracting(IRule::getName).doesNotHaveDuplicates();
    }

    @Test
    void evaluate_recordingOfASickPool_showsItsFinding() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch raised = new CountDownLatch(1);
        PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(100))
                .grace(Duration.ZERO)
                .threshold("stuck-task.firstSeconds", 0.2)
                .listener(finding -> raised.countDown())
                .build();
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("orders").size(2).build();
        Path file = directory.resolve("sick.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            pool.execute(() -> awaitRelease(released));
            assertThat(raised.await(1, TimeUnit.MINUTES)).isTrue(); // the recorder was told before
            recording.dump(file);
        } finally {
            released.countDown();
            pool.shutdown();
            assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            monitor.close();
        }
        Map<String, IResult> results = evaluated(JfrLoaderToolkit.loadEvents(file.toFile()));

        IResult stuck = results.get("io.lifeguard.stuck-task");
        assertThat(stuck.getSeverity()).isEqualTo(org.openjdk.jmc.flightrecorder.rules.Severity.WARNING);
        assertThat(score(stuck)).isGreaterThanOrEqualTo(80);
        assertThat(stuck.getSummary()).startsWith("orders: ");
        assertThat(stuck.getExplanation())
                .contains("stuck-task, ", " to the end of the recording", "Evidence:\n", "runningFor = ");
        assertThat(stuck.getSolution()).startsWith("orders: ");
        assertThat(JfrLoaderToolkit.loadEvents(file.toFile())
                        .apply(stuck.getResult(TypedResult.ITEM_QUERY).getFilter())
                        .hasItems())
                .isTrue();
        IResult clear = results.get("io.lifeguard.lock-contention");
        assertThat(clear.getSeverity()).isEqualTo(org.openjdk.jmc.flightrecorder.rules.Severity.OK);
        assertThat(score(clear)).isZero();
    }

    @Test
    void evaluate_findingOfAUsersRule_isShownWithItsHighestSeverityAndIsInert() throws Exception {
        Course course = new Course();
        PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(100))
                .grace(Duration.ZERO)
                .onlyRules(List.of(course))
                .listener(course)
                .build();
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named(HOSTILE).size(1).build();
        Path file = directory.resolve("users.jfr");
        Path box = directory.resolve("box.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            course.begun = true;
            assertThat(course.over.await(1, TimeUnit.MINUTES)).isTrue();
            recording.dump(file);
            monitor.dump(box);
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            monitor.close();
        }
        IItemCollection items = JfrLoaderToolkit.loadEvents(file.toFile());

        IResult result = evaluated(items).get("io.lifeguard.other-findings");
        assertThat(score(result)).isEqualTo(100);
        assertThat(result.getSummary()).isEqualTo(HOSTILE + ": it is so");
        assertThat(result.getExplanation())
                .contains("of-a-user, CRITICAL, from 20", "Stack:\na.B.c(B.java:3)\na.B.d(B.java:4)")
                .doesNotContain("to the end");
        assertThat(items.apply(result.getResult(TypedResult.ITEM_QUERY).getFilter())
                        .hasItems())
                .isTrue();
        IResult kept = evaluated(JfrLoaderToolkit.loadEvents(box.toFile())).get("io.lifeguard.other-findings");
        assertThat(kept.getSummary()).isEqualTo(result.getSummary());
        assertThat(score(kept)).isEqualTo(100);
        assertThat(JfrHtmlRulesReport.createReport(items)).contains("it is so").doesNotContain("<script>alert(1)");
    }

    @Test
    void evaluate_recordingWithoutEventsOfLifeguard_isNotApplicable() throws Exception {
        Path file = directory.resolve("plain.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JVMInformation");
            recording.start();
            recording.dump(file);
        }
        Map<String, IResult> results = evaluated(JfrLoaderToolkit.loadEvents(file.toFile()));

        assertThat(results).hasSameSizeAs(ours());
        assertThat(results.values()).allSatisfy(result -> {
            assertThat(result.getSeverity()).isEqualTo(org.openjdk.jmc.flightrecorder.rules.Severity.NA);
            assertThat(result.getSummary()).contains("no events of Lifeguard");
        });
    }

    /** A user's rule whose finding is critical at first, then an information, and then over. */
    private static final class Course implements Rule, FindingListener {
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile boolean begun;
        private volatile Severity severity = Severity.CRITICAL;
        private volatile boolean isWell;

        @Override
        public Verdict examine(PoolWindow window) {
            return !begun || isWell || !window.pool().equals(HOSTILE)
                    ? Verdict.clear()
                    : Verdict.found(Finding.of("of-a-user", window)
                            .severity(severity)
                            .summary("it is so")
                            .advice("do nothing")
                            .evidence("stack", List.of("a.B.c(B.java:3)", "a.B.d(B.java:4)"))
                            .build());
        }

        @Override
        public void raised(Finding finding) {
            severity = Severity.INFO;
        }

        @Override
        public void updated(Finding finding) {
            isWell = finding.severity() == Severity.INFO;
        }

        @Override
        public void resolved(Finding finding) {
            over.countDown();
        }
    }

    private static void awaitRelease(CountDownLatch released) {
        try {
            assertThat(released.await(5, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<IRule> ours() {
        return RuleRegistry.getRules().stream()
                .filter(rule -> rule.getId().startsWith("io.lifeguard."))
                .toList();
    }

    private static Map<String, IResult> evaluated(IItemCollection items) throws Exception {
        Map<String, IResult> results = new HashMap<>();
        for (Map.Entry<IRule, Future<IResult>> each : RulesToolkit.evaluateParallel(
                        ours(), items, IPreferenceValueProvider.DEFAULT_VALUES, 1)
                .entrySet()) {
            results.put(each.getKey().getId(), each.getValue().get(20, TimeUnit.SECONDS));
        }
        return results;
    }

    private static double score(IResult result) {
        IQuantity score = result.getResult(TypedResult.SCORE);
        return score.doubleValueIn(UnitLookup.NUMBER_UNITY);
    }
}
