package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares docs/meters.md with a registry that has every possible meter. */
class DocumentedMetersTest {

    private static final Rule ALWAYS = window -> Verdict.found(Finding.of("stuck-task", window)
            .summary("there is always something")
            .build());

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void meters_everyOption_areThoseOfThePage() throws Exception {
        try (PoolMonitor monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(VirtualThreadMeters.exist() ? 300 : 20)) // a queue counts from two looks on
                .grace(Duration.ZERO)
                .onlyRules(
                        Stream.concat(Stream.of(ALWAYS), aboutVirtualThreads()).toList())
                .build()) {
            InstrumentedThreadPoolExecutor plain =
                    InstrumentedThreadPoolExecutor.named("plain").size(1).build();
            InstrumentedScheduledThreadPoolExecutor scheduled = new InstrumentedScheduledThreadPoolExecutor(1);
            ExecutorService forkJoin = InstrumentedExecutors.newWorkStealingPool(1);
            ExecutorService waiting = waitingVirtualThreads();
            try (InstrumentedPoolMetrics metrics = InstrumentedPoolMetrics.builder()
                    .monitor(monitor)
                    .percentiles(0.5, 0.99)
                    .histograms()
                    .kinds(5)
                    .openTelemetryNames()
                    .build()) {
                plain.submit(() -> {}).get();
                await().until(() -> !plain.snapshot().kinds().isEmpty()); // the worker records the end after it
                metrics.bindTo(registry);
                await().until(() ->
                        registry.find(MeterRow.FINDINGS_RAISED.name()).meter() != null);
                await().until(() -> {
                    registry.scrape(); // a read registers the places where threads wait
                    return !VirtualThreadMeters.exist()
                            || registry.find(MeterRow.VIRTUAL_WAITING.name()).meter() != null;
                });
                registry.get(MeterRow.SUBMITTED.name()).tag("name", "plain").meter();
                compare();
            } finally {
                plain.shutdownNow();
                scheduled.shutdownNow();
                forkJoin.shutdownNow();
                waiting.shutdownNow();
            }
        }
    }

    private static Stream<Rule> aboutVirtualThreads() {
        return PoolMonitor.standardRules().stream().filter(rule -> rule.ids().contains("virtual-threads-in-line"));
    }

    /** A pool of virtual threads, of which too few wait for a finding. */
    private static ExecutorService waitingVirtualThreads() {
        if (!VirtualThreadMeters.exist()) {
            return InstrumentedExecutors.newWorkStealingPool(1);
        }
        ExecutorService executor = InstrumentedExecutors.newVirtualThreadPerTaskExecutor("virtual");
        Semaphore permits = new Semaphore(0);
        for (int i = 0; i < 10; i++) {
            executor.execute(() -> acquire(permits));
        }
        return executor;
    }

    /** Interrupted at the end of the test. */
    private static void acquire(Semaphore permits) {
        try {
            permits.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void compare() throws IOException {
        List<DocumentedMeter> documented = DocumentedMeter.rows().stream()
                .filter(row -> VirtualThreadMeters.exist() || !row.meter().startsWith("lifeguard.virtual."))
                .toList();
        String scrape = registry.scrape();
        assertThat(rows(scrape))
                .containsExactlyInAnyOrderElementsOf(
                        documented.stream().map(DocumentedMeter::toString).collect(Collectors.toSet()));
    }

    private Set<String> rows(String scrape) {
        Set<String> series = Arrays.stream(scrape.split("\n"))
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]")[0])
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> rows = new HashSet<>();
        for (Meter meter : registry.getMeters()) {
            Shape shape = Shape.of(meter);
            String unit = shape.unit().equals("null") ? "" : shape.unit();
            String convention =
                    meter.getId().getConventionName(registry.config().namingConvention());
            Set<String> expected = switch (shape.type()) {
                case TIMER -> Set.of(convention + "_count", convention + "_sum");
                case COUNTER -> Set.of(convention + "_total");
                default -> Set.of(convention);
            };
            assertThat(series).as("series of %s", meter.getId()).containsAll(expected);
            rows.add(new DocumentedMeter(
                            shape.name(),
                            shape.type().name().toLowerCase(Locale.ROOT),
                            unit,
                            shape.tags(),
                            new TreeSet<>(expected))
                    .toString());
        }
        return rows;
    }

    @Test
    void rows_everyOne_isOnThePage() throws Exception {
        Set<String> documented = DocumentedMeter.rows().stream()
                .flatMap(row -> Stream.concat(Stream.of(row.meter()), row.tags().stream()))
                .collect(Collectors.toSet());
        for (Field field : MeterRow.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) { // JaCoCo adds one
                String value = field.get(null) instanceof MeterRow row ? row.name() : (String) field.get(null);
                boolean isKnown = value.startsWith(".")
                        ? documented.stream().anyMatch(name -> name.endsWith(value))
                        : documented.contains(value) || value.equals(MeterRow.OTHER);
                assertThat(isKnown).as("%s = %s", field.getName(), value).isTrue();
                assertThat(Modifier.isFinal(field.getModifiers())).isTrue();
            }
        }
    }
}
