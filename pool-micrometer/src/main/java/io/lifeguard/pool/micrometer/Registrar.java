package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.text.CleanFailure;
import io.lifeguard.pool.text.LogText;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the meters of one pool in one registry. Confined to the lock of {@link RegistryMeters}.
 *
 * <p>A name that is taken by a meter of another type is left to that meter. A meter is also left out if the registry's
 * filters or listeners throw at it.
 */
final class Registrar {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.micrometer.InstrumentedPoolMetrics");

    private static final String STANDARD = "executor."; // prefix of the meters of Micrometer's own binder

    private final MeterRegistry registry;
    private final ScrapeReader reader;
    private final Tags name;
    private final List<Object> sources;

    /** @param sources receives what registries hold weakly */
    Registrar(MeterRegistry registry, ScrapeReader reader, Tags name, List<Object> sources) {
        this.registry = registry;
        this.reader = reader;
        this.name = name;
        this.sources = sources;
    }

    /** Registers a gauge. The tags are keys and values in turn, here and below. */
    void gauge(MeterRow meter, ToDoubleFunction<Reading> number, String... tags) {
        register(
                meter,
                () -> meter.gauge(kept(PolledValue.gauge(reader, number)), PolledValue::value)
                        .tags(name.and(tags))
                        .register(registry));
    }

    /** Registers a gauge of seconds, which the registry converts to its own unit of time. */
    void seconds(MeterRow meter, ToDoubleFunction<Reading> number, String... tags) {
        PolledValue source = PolledValue.gauge(reader, number);
        register(
                meter,
                () -> TimeGauge.builder(meter.name(), kept(source), TimeUnit.SECONDS, PolledValue::value)
                        .tags(name.and(tags))
                        .description(meter.description())
                        .register(registry));
    }

    void counter(MeterRow meter, ToDoubleFunction<Reading> number, String... tags) {
        register(
                meter,
                () -> meter.counter(kept(PolledValue.count(reader, number)), PolledValue::value)
                        .tags(name.and(tags))
                        .register(registry));
    }

    void timer(MeterRow meter, ToDoubleFunction<Reading> count, ToDoubleFunction<Reading> totalNanos, String... tags) {
        register(meter, () -> {
            Timed source = kept(new Timed(PolledValue.count(reader, count), PolledValue.count(reader, totalNanos)));
            FunctionTimer.builder(meter.name(), source, Timed::readCount, Timed::readNanos, TimeUnit.NANOSECONDS)
                    .tags(name.and(tags))
                    .description(meter.description())
                    .register(registry);
        });
    }

    private <T> T kept(T source) {
        sources.add(source);
        return source;
    }

    /**
     * Does a registration, unless Micrometer's own binder has registered the same meter. Both meters show the same
     * values, and the registry would warn of the second one.
     */
    void register(MeterRow row, Runnable registration) {
        String meter = row.name();
        if (meter.startsWith(STANDARD) && registry.find(meter).tags(name).meter() != null) {
            return;
        }
        try {
            registration.run();
        } catch (IllegalArgumentException e) {
            LOG.info(
                    "Meter {} of pool {} is left out, because its name is taken: {}",
                    meter,
                    poolName(),
                    LogText.clean(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) { // from a filter or listener of the user; the pool's other meters are unaffected
            LOG.warn(
                    "Meter {} of pool {} cannot be registered, and is left out", meter, poolName(), CleanFailure.of(e));
        }
    }

    /** The pool's name, escaped so that it cannot forge a line of the log. */
    private String poolName() {
        return name.stream().map(Tag::getValue).map(LogText::name).collect(Collectors.joining(", "));
    }

    private record Timed(PolledValue count, PolledValue nanos) {
        long readCount() {
            return (long) count.value();
        }

        double readNanos() {
            return nanos.value();
        }
    }
}
