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
                .window(Duration.ofMillis(20))
                .grace(Duration.ZERO)
                .onlyRules(List.of(ALWAYS))
                .build()) {
            InstrumentedThreadPoolExecutor plain =
                    InstrumentedThreadPoolExecutor.named("plain").size(1).build();
            InstrumentedScheduledThreadPoolExecutor scheduled = new InstrumentedScheduledThreadPoolExecutor(1);
            ExecutorService forkJoin = InstrumentedExecutors.newWorkStealingPool(1);
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
                await().until(() -> registry.find(MeterNames.FINDINGS_RAISED).meter() != null);
                registry.get(MeterNames.SUBMITTED).tag("name", "plain").meter();
                compare();
            } finally {
                plain.shutdownNow();
                scheduled.shutdownNow();
                forkJoin.shutdownNow();
            }
        }
    }

    private void compare() throws IOException {
        List<DocumentedMeter> documented = DocumentedMeter.rows();
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
    void meterNames_everyConstant_isOnThePage() throws Exception {
        Set<String> documented = DocumentedMeter.rows().stream()
                .flatMap(row -> Stream.concat(Stream.of(row.meter()), row.tags().stream()))
                .collect(Collectors.toSet());
        for (Field field : MeterNames.class.getFields()) {
            String value = (String) field.get(null);
            boolean isPart = value.startsWith(".") || value.equals(MeterNames.OTHER);
            assertThat(
                            isPart
                                    ? documented.stream().anyMatch(name -> name.endsWith(value))
                                            || value.equals("(other)")
                                    : documented.contains(value))
                    .as("%s = %s", field.getName(), value)
                    .isTrue();
            assertThat(Modifier.isFinal(field.getModifiers())).isTrue();
        }
    }
}
