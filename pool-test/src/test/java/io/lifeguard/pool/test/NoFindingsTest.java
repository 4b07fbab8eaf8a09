package io.lifeguard.pool.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * {@link NoFindings} on the nested test classes, which are run from here only: the build does not run nested classes by
 * themselves.
 */
class NoFindingsTest {

    private static volatile Severity worsening = Severity.WARNING;

    /** Raises a finding about each pool whose name begins with "faulty" or "worsening". */
    private static final Rule RULE = new Rule() {
        @Override
        public Verdict examine(PoolWindow window) {
            boolean worsens = window.pool().startsWith("worsening");
            return worsens || window.pool().startsWith("faulty")
                    ? Verdict.found(Finding.of("faulty", window)
                            .severity(worsens ? worsening : Severity.WARNING)
                            .summary("it is faulty")
                            .advice("Mend it")
                            .evidence("faults", 7)
                            .build())
                    : Verdict.clear();
        }

        @Override
        public int windowsToRaise() {
            return 1;
        }
    };

    private static final AtomicInteger UPDATES = new AtomicInteger(); // windows in which a raised finding still held

    private static final FindingListener COUNTING = new FindingListener() {
        @Override
        public void raised(Finding finding) {}

        @Override
        public void updated(Finding finding) {
            UPDATES.incrementAndGet();
        }
    };

    @BeforeEach
    void addRule() {
        PoolMonitor.global().addRule(RULE);
    }

    @AfterEach
    void removeRule() {
        PoolMonitor.global().removeRule(RULE);
    }

    private static List<String> failures(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow()
                        .getMessage())
                .toList();
    }

    @Test
    void test_withFinding_failsWithPoolSummaryAdviceAndEvidence() {
        assertThat(failures(Faulty.class))
                .singleElement()
                .asString()
                .contains("pool 'faulty", "it is faulty", "Mend it", "[faulty]", "faults=7");
    }

    @Test
    void test_withComposedAnnotation_fails() {
        assertThat(failures(FaultyWithComposedAnnotation.class))
                .singleElement()
                .asString()
                .contains("pool 'faulty");
    }

    /** A test framework may keep several contexts, each with a pool of that name. */
    @Test
    void test_poolWithNumberedName_fails() {
        InstrumentedThreadPoolExecutor ofAnotherContext =
                InstrumentedThreadPoolExecutor.named("faulty").size(1).build();
        try {
            assertThat(failures(OfNamedPool.class)).singleElement().asString().contains("pool 'faulty#2'");
        } finally {
            ofAnotherContext.shutdown();
        }
    }

    @Test
    void test_findingIgnoredOrOfAnotherPoolOrTolerated_passes() {
        assertThat(failures(Ignoring.class)).isEmpty();
    }

    @Test
    void test_findingWorseThanTolerated_failsWithThatFindingOnly() {
        worsening = Severity.WARNING;
        assertThat(failures(Worsening.class))
                .singleElement()
                .asString()
                .contains("there were 1:", "CRITICAL pool 'worsening'");
    }

    @Test
    void test_toleratingEverything_failsAtOnce() {
        assertThat(failures(ToleratesEverything.class))
                .singleElement()
                .asString()
                .contains("choose INFO or WARNING");
    }

    @Test
    void test_withoutFinding_passesAndRestoresTheWindow() {
        Duration before = PoolMonitor.global().window();
        assertThat(failures(Healthy.class)).isEmpty();
        assertThat(PoolMonitor.global().window()).isEqualTo(before);
    }

    /** There is one window for all. The second test begins while the first runs, and ends after it. */
    @Test
    void tests_thatOverlap_restoreTheWindowAtTheirEnd() {
        Duration before = PoolMonitor.global().window();
        assertThat(EngineTestKit.engine("junit-jupiter")
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                        .selectors(selectClass(Overlapping.class))
                        .execute()
                        .testEvents()
                        .succeeded()
                        .count())
                .isEqualTo(2);
        assertThat(PoolMonitor.global().window()).isEqualTo(before);
    }

    @Test
    void finding_raisedBeforeTheTest_doesNotCount() {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("faulty").size(1).build();
        Duration before = PoolMonitor.global().window();
        PoolMonitor.global().window(Duration.ofMillis(20));
        try {
            await().until(() -> !PoolMonitor.global().findings(pool.name()).isEmpty());
            UPDATES.set(0);
            PoolMonitor.global().addListener(COUNTING);
            assertThat(failures(SeesEarlierFinding.class)).isEmpty();
            assertThat(UPDATES).hasValueGreaterThanOrEqualTo(3);
            assertThat(PoolMonitor.global().findings(pool.name())).isNotEmpty();
        } finally {
            PoolMonitor.global().removeListener(COUNTING);
            PoolMonitor.global().window(before);
            pool.shutdown();
        }
    }

    /** Otherwise each test after one that closes the monitor would pass. */
    @Test
    void start_monitorWasClosed_isRefused() {
        PoolMonitor monitor = PoolMonitor.builder().onlyRules(List.of()).build();
        assertThat(monitor.isClosed()).isFalse();
        monitor.close();

        assertThat(monitor.isClosed()).isTrue();
        assertThatThrownBy(() -> FindingRecorder.start(monitor))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the monitor was closed");
    }

    /** Keeps a faulty pool until the monitor has raised its finding. */
    private static void beFaulty() {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("faulty").size(1).build();
        try (FindingRecorder recorder = FindingRecorder.start()) {
            await().until(() -> recorder.findings().stream()
                    .anyMatch(finding -> finding.pool().equals(pool.name())));
        } finally {
            pool.shutdown();
        }
    }

    static class Overlapping {
        private static final CountDownLatch FIRST_RUNS = new CountDownLatch(1);
        private static final CountDownLatch SECOND_RUNS = new CountDownLatch(1);
        private static final CountDownLatch FIRST_ENDED = new CountDownLatch(1);

        @BeforeEach
        void waitForTheOther(TestInfo test) throws InterruptedException {
            if (test.getDisplayName().startsWith("second")) {
                assertThat(FIRST_RUNS.await(1, TimeUnit.MINUTES)).isTrue();
            }
        }

        @AfterEach
        void tellTheOther(TestInfo test) {
            if (test.getDisplayName().startsWith("first")) {
                FIRST_ENDED.countDown();
            }
        }

        @Test
        @NoFindings(windowMillis = 200)
        void first() throws InterruptedException {
            FIRST_RUNS.countDown();
            assertThat(SECOND_RUNS.await(1, TimeUnit.MINUTES)).isTrue();
        }

        @Test
        @NoFindings(windowMillis = 200)
        void second() throws InterruptedException {
            SECOND_RUNS.countDown();
            assertThat(FIRST_ENDED.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @NoFindings(windowMillis = 20)
    static class Faulty {
        @Test
        void test() {
            beFaulty();
        }
    }

    @NoFindings(windowMillis = 20)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ComposedAnnotation {}

    @ComposedAnnotation
    static class FaultyWithComposedAnnotation {
        @Test
        void test() {
            beFaulty();
        }
    }

    @NoFindings(pools = "faulty", windowMillis = 20)
    static class OfNamedPool {
        @Test
        void test() {
            beFaulty();
        }
    }

    static class Ignoring {
        @Test
        @NoFindings(ignore = "faulty", windowMillis = 20)
        void ignoring() {
            beFaulty();
        }

        @Test
        @NoFindings(pools = "other", windowMillis = 20)
        void ofOtherPools() {
            beFaulty();
        }

        @Test
        @NoFindings(atMost = Severity.WARNING, windowMillis = 20)
        void toleratingWarnings() {
            beFaulty();
        }
    }

    @NoFindings(windowMillis = 20)
    static class SeesEarlierFinding {
        @Test
        void test() {
            await().until(() -> UPDATES.get() >= 3);
        }
    }

    static class Worsening {
        @Test
        @NoFindings(atMost = Severity.WARNING, windowMillis = 20)
        void test() {
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("worsening").size(1).build();
            try (FindingRecorder recorder = FindingRecorder.start()) {
                await().until(() -> recorder.findings().stream()
                        .anyMatch(finding -> finding.pool().equals(pool.name())));
                worsening = Severity.CRITICAL;
                await().until(() ->
                        recorder.findings().stream().anyMatch(each -> each.severity() == Severity.CRITICAL));
            } finally {
                pool.shutdown();
            }
        }
    }

    @NoFindings(atMost = Severity.CRITICAL)
    static class ToleratesEverything {
        @Test
        void test() {}
    }

    @NoFindings(pools = "nobody", windowMillis = 20)
    static class Healthy {
        @Test
        void test() {
            assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(20));
        }
    }
}
