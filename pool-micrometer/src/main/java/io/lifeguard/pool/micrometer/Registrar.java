package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.text.CleanFailure;
import io.lifeguard.pool.text.LogText;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the meters of one pool in one registry. Confined to the thread that holds the registry's lock.
 *
 * <p>A name that somebody else uses for a meter of another type is left to them. A meter at which the registry's filters or listeners throw
 * is left out.
 */
final class Registrar {

    private static final Logger LOG = LoggerFactory.getLogger(InstrumentedPoolMetrics.class);

    private static final String STANDARD = "executor."; // what Micrometer's own binder calls its meters

    private final MeterRegistry registry;
    private final ScrapeReader reader;
    private final Tags name;
    private final List<Object> sources;

    /**
     * @param registry where to register
     * @param reader what to read
     * @param name the pool's name as a tag
     * @param sources where to keep what registries hold weakly
     */
    Registrar(MeterRegistry registry, ScrapeReader reader, Tags name, List<Object> sources) {
        this.registry = registry;
        this.reader = reader;
        this.name = name;
        this.sources = sources;
    }

    MeterRegistry registry() {
        return registry;
    }

    void gauge(String meter, @Nullable String unit, String description, ToDoubleFunction<Reading> number) {
        gauge(meter, unit, description, Tags.empty(), number);
    }

    void gauge(String meter, @Nullable String unit, String description, Tags more, ToDoubleFunction<Reading> number) {
        tried(
                meter,
                () -> Gauge.builder(meter, kept(Pulled.gauge(reader, number)), Pulled::value)
                        .tags(name.and(more))
                        .baseUnit(unit)
                        .description(description)
                        .register(registry));
    }

    void seconds(String meter, String description, Tags more, ToDoubleFunction<Reading> number) {
        tried(
                meter,
                () -> TimeGauge.builder(meter, kept(Pulled.gauge(reader, number)), TimeUnit.SECONDS, Pulled::value)
                        .tags(name.and(more))
                        .description(description)
                        .register(registry));
    }

    void counter(String meter, @Nullable String unit, String description, Tags more, ToDoubleFunction<Reading> number) {
        tried(
                meter,
                () -> FunctionCounter.builder(meter, kept(Pulled.count(reader, number)), Pulled::value)
                        .tags(name.and(more))
                        .baseUnit(unit)
                        .description(description)
                        .register(registry));
    }

    /** A timer whose sum is told in nanoseconds. */
    void timer(
            String meter,
            String description,
            Tags more,
            ToDoubleFunction<Reading> count,
            ToDoubleFunction<Reading> nanos) {
        tried(meter, () -> {
            Timed source = kept(new Timed(Pulled.count(reader, count), Pulled.count(reader, nanos)));
            FunctionTimer.builder(meter, source, Timed::readCount, Timed::readNanos, TimeUnit.NANOSECONDS)
                    .tags(name.and(more))
                    .description(description)
                    .register(registry);
        });
    }

    private <T> T kept(T source) {
        sources.add(source);
        return source;
    }

    /** Registers, unless Micrometer's own binder was here first: its meter says the same, and the registry would warn of a second one. */
    void tried(String meter, Runnable registration) {
        if (meter.startsWith(STANDARD) && registry.find(meter).tags(name).meter() != null) {
            return;
        }
        try {
            registration.run();
        } catch (IllegalArgumentException taken) {
            LOG.info(
                    "Meter {} of pool {} is left to whoever registered it first: {}",
                    meter,
                    poolName(),
                    LogText.clean(String.valueOf(taken.getMessage())));
        } catch (RuntimeException filterOrListener) { // the user's; the pool's other meters are none of its business
            LOG.warn(
                    "Meter {} of pool {} cannot be registered, and is left out",
                    meter,
                    poolName(),
                    CleanFailure.of(filterOrListener));
        }
    }

    /** In a line of the log, which it cannot forge. */
    private String poolName() {
        return name.stream().map(Tag::getValue).map(LogText::name).collect(Collectors.joining(", "));
    }

    private record Timed(Pulled count, Pulled nanos) {
        long readCount() {
            return (long) count.value();
        }

        double readNanos() {
            return nanos.value();
        }
    }
}
