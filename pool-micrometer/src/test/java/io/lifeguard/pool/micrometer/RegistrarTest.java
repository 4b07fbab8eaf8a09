package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Registers meters whose names are taken. A registry that is requested for a meter which it already has asks its
 * younger filters again and logs a warning, which users see.
 */
class RegistrarTest {

    private static final double THEIRS = 77;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> requested = new ArrayList<>();
    private final List<Object> kept = new ArrayList<>();
    private final ExecutorService pool = InstrumentedExecutors.newFixedThreadPool("registrar", 1);
    private final Tags name = Tags.of("name", "registrar");
    private final Registrar registrar = new Registrar(
            registry, new ScrapeReader((InstrumentedPool) pool, false, List::of, reading -> {}), name, kept);

    @AfterEach
    void end() {
        pool.shutdownNow();
        await().until(pool::isTerminated); // its name is free then, for the next test's pool
    }

    private void theirs(String meter, Tags tags) {
        Gauge.builder(meter, () -> THEIRS).tags(tags).register(registry);
    }

    private void listen() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                requested.add(id.getName());
                return id;
            }
        });
    }

    private void register(String meter) {
        listen();
        registrar.gauge(new MeterRow(meter, null, "own"), reading -> 1);
    }

    private double value(String meter) {
        return registry.get(meter).tags(name).gauge().value();
    }

    @Test
    void gauge_standardMeterOfTheSameId_isNotRequestedAgain() {
        theirs("executor.active", name);
        register("executor.active");
        assertThat(requested).isEmpty();
        assertThat(kept).isEmpty();
        assertThat(value("executor.active")).isEqualTo(THEIRS);
    }

    @Test
    void gauge_standardMeterWithAnotherTag_isLeftAlone() {
        theirs("executor.active", name.and("region", "north"));
        register("executor.active");
        assertThat(requested).isEmpty();
        assertThat(registry.find("executor.active").gauges()).hasSize(1);
    }

    @Test
    void gauge_standardMeterOfAnotherPool_isRegistered() {
        theirs("executor.active", Tags.of("name", "another"));
        register("executor.active");
        assertThat(requested).containsExactly("executor.active");
        assertThat(value("executor.active")).isOne();
    }

    /**
     * Only Lifeguard uses names that begin with {@code lifeguard.}. If another library does, the registry should warn.
     */
    @Test
    void gauge_lifeguardMeterOfTheSameId_isRequestedAndTheFirstStays() {
        theirs("lifeguard.utilisation", name);
        register("lifeguard.utilisation");
        assertThat(requested).containsExactly("lifeguard.utilisation");
        assertThat(value("lifeguard.utilisation")).isEqualTo(THEIRS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bindTo_afterMicrometersBinder_requestsNoneOfItsMetersAgain(boolean isForkJoin) {
        ExecutorService executor = isForkJoin
                ? InstrumentedExecutors.newWorkStealingPool("bound", 1)
                : InstrumentedExecutors.newFixedThreadPool("bound", 1);
        new ExecutorServiceMetrics(executor, "bound", List.of()).bindTo(registry);
        List<String> theirs = registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .toList();
        listen();
        try (InstrumentedPoolMetrics metrics = new InstrumentedPoolMetrics((InstrumentedPool) executor)) {
            metrics.bindTo(registry);
            assertThat(theirs).contains("executor.active");
            assertThat(requested).contains("lifeguard.submitted").doesNotContainAnyElementsOf(theirs);
        }
        assertThat(registry.getMeters()).hasSize(theirs.size());
        executor.shutdown();
    }

    // ---- log ----

    private List<ILoggingEvent> linesOf(String meter, RuntimeException thrown) {
        Logger logger = (Logger) LoggerFactory.getLogger(InstrumentedPoolMetrics.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        Registrar forged = new Registrar(
                registry,
                new ScrapeReader((InstrumentedPool) pool, false, List::of, reading -> {}),
                Tags.of("name", "x\n2026-01-01 ERROR all is lost"),
                kept);
        forged.register(new MeterRow(meter, null, "own"), () -> {
            throw thrown;
        });
        logger.detachAppender(lines);
        return lines.list;
    }

    @Test
    void register_messageThatForgesALogLine_isLoggedAsOneLine() {
        assertThat(linesOf("lifeguard.utilisation", new IllegalArgumentException("taken\r\nby \u001b[31mred")))
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .doesNotContainPattern("\\p{Cntrl}")
                .contains("'x\\u000a2026-01-01 ERROR all is lost'")
                .contains("taken\\u000d\\u000aby \\u001b[31mred");
    }

    @Test
    void register_filterThrowsAMessageThatForgesALogLine_isEscaped() {
        assertThat(linesOf("lifeguard.utilisation", new IllegalStateException("y\n2026-01-01 ERROR more is lost")))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getFormattedMessage()).doesNotContainPattern("\\p{Cntrl}");
                    assertThat(line.getThrowableProxy().getMessage()).contains("y\\u000a2026-01-01");
                });
    }
}
