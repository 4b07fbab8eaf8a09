package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Findings of a monitor whose only rule finds what the test wants. */
class FindingMetersTest {

    private volatile Function<PoolWindow, Verdict> finds = window -> Verdict.clear();

    private final Rule rule = new Rule() {
        @Override
        public Verdict examine(PoolWindow window) {
            return finds.apply(window);
        }

        @Override
        public int windowsToRaise() {
            return 1;
        }
    };
    private final PoolMonitor monitor = PoolMonitor.builder()
            .window(Duration.ofMillis(15))
            .grace(Duration.ZERO)
            .onlyRules(List.of(rule))
            .build();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InstrumentedPoolMetrics metrics = InstrumentedPoolMetrics.builder()
            .monitor(monitor)
            .findingPages("https://example.org/")
            .build();
    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("found").size(1).build();

    @AfterEach
    void end() {
        metrics.close();
        monitor.close();
        pool.shutdownNow();
        await().until(pool::isTerminated); // its name is free then, for the next test's pool
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void findings_raisedResolvedAndRaisedAgain_areGaugesAndCounters() {
        metrics.bindTo(registry);
        assertThat(registry.find("lifeguard.findings").tag("name", "found").meters())
                .isEmpty();
        assertThat(registry.get("lifeguard.recommended.size")
                        .tag("name", "found")
                        .gauge()
                        .value())
                .isNaN();

        finds = window -> Verdict.found(Finding.of("oversized", window)
                .severity(Severity.INFO)
                .recommendedSize(3)
                .build());
        await().until(() -> active("oversized", "info") == 1);
        assertThat(registry.get("lifeguard.recommended.size")
                        .tag("name", "found")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(raised("oversized", "info")).isEqualTo(1);
        assertThat(registry.get("lifeguard.finding.page")
                        .tag("id", "oversized")
                        .meter()
                        .getId()
                        .getTag("page"))
                .isEqualTo("https://example.org/oversized.md");

        finds = window -> Verdict.clear();
        await().until(() -> active("oversized", "info") == 0);
        assertThat(registry.get("lifeguard.recommended.size")
                        .tag("name", "found")
                        .gauge()
                        .value())
                .isNaN();
        finds = window -> Verdict.found(
                Finding.of("oversized", window).severity(Severity.INFO).build());
        await().until(() -> raised("oversized", "info") == 2);
    }

    @Test
    void findings_becomeMoreSevere_areShownAndCountedUnderTheNewSeverity() {
        metrics.bindTo(registry);
        finds = window -> Verdict.found(Finding.of("queue-growing", window)
                .severity(Severity.WARNING)
                .evidence("secondsLeft", 90.0)
                .build());
        await().until(() -> active("queue-growing", "warning") == 1);
        assertThat(registry.get("lifeguard.queue.full.in")
                        .tag("name", "found")
                        .timeGauge()
                        .value())
                .isEqualTo(90);
        finds = window -> Verdict.found(Finding.of("queue-growing", window)
                .severity(Severity.CRITICAL)
                .evidence("secondsLeft", 9.0)
                .build());
        await().until(() -> active("queue-growing", "critical") == 1);
        assertThat(active("queue-growing", "warning")).isZero();
        await().until(() -> raised("queue-growing", "critical") == 1);
        assertThat(raised("queue-growing", "warning")).isEqualTo(1);
        await().until(() -> registry.get("lifeguard.queue.full.in")
                        .tag("name", "found")
                        .timeGauge()
                        .value()
                == 9);
    }

    @Test
    void findings_raisedBeforeTheBinding_areShown() {
        finds = window -> Verdict.found(Finding.of("stuck-task", window).build());
        await().until(() -> !monitor.findings("found").isEmpty());
        metrics.bindTo(registry);
        assertThat(active("stuck-task", "warning")).isEqualTo(1);
        assertThat(raised("stuck-task", "warning")).isZero();
    }

    @Test
    void findings_twoBinders_areCountedOnce() {
        try (InstrumentedPoolMetrics other =
                InstrumentedPoolMetrics.builder().monitor(monitor).pool(pool).build()) {
            metrics.bindTo(registry);
            other.bindTo(registry);
            finds = window -> Verdict.found(Finding.of("stuck-task", window).build());
            await().until(() -> active("stuck-task", "warning") == 1);
            assertThat(raised("stuck-task", "warning")).isEqualTo(1);
        }
    }

    @Test
    void findings_endlessNewIds_areBounded() {
        metrics.bindTo(registry);
        AtomicInteger number = new AtomicInteger();
        finds = window -> Verdict.found(
                Finding.of("invented-" + number.incrementAndGet(), window).build());
        await().until(() -> number.get() > 2 * FindingMeters.MOST);
        await().until(() -> registry.find("lifeguard.findings")
                        .tags("name", "found", "id", "(other)")
                        .meter()
                != null);
        assertThat(registry.find("lifeguard.findings").tag("name", "found").meters())
                .hasSizeLessThanOrEqualTo(FindingMeters.MOST + 1);
        finds = window -> Verdict.clear();
        await().until(() -> monitor.findings().isEmpty());
        assertThat(raised("(other)", "warning")).isPositive();
        await().until(() -> active("(other)", "warning") == 0);
    }

    @Test
    void findings_externalPool_areShownWhileTheyLast() {
        ThreadPoolExecutor external = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        try {
            metrics.bindTo(registry);
            monitor.watch(external, "external");
            finds = window -> window.pool().equals("external")
                    ? Verdict.found(Finding.of("oversized", window).build())
                    : Verdict.clear();
            await().until(() -> registry.find("lifeguard.findings").tag("name", "external").gauges().stream()
                    .anyMatch(gauge -> gauge.value() == 1));
            finds = window -> Verdict.clear();
            await().until(() -> registry.find("lifeguard.findings")
                    .tag("name", "external")
                    .meters()
                    .isEmpty());
        } finally {
            external.shutdownNow();
        }
    }

    @Test
    void findings_poolTerminates_areRemovedWithItsOtherMeters() {
        metrics.bindTo(registry);
        finds = window -> Verdict.found(Finding.of("stuck-task", window).build());
        await().until(() -> active("stuck-task", "warning") == 1);
        pool.shutdownNow();
        await().until(() -> registry.getMeters().stream()
                .noneMatch(meter -> "found".equals(meter.getId().getTag("name"))));
    }

    private double active(String id, String severity) {
        Meter meter = registry.find("lifeguard.findings")
                .tags("name", "found", "id", id, "severity", severity)
                .meter();
        return meter == null ? -1 : ((Gauge) meter).value();
    }

    private double raised(String id, String severity) {
        return registry.get("lifeguard.findings.raised")
                .tags("name", "found", "id", id, "severity", severity)
                .functionCounter()
                .count();
    }
}
