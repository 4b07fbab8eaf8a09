package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binds one pool, or all living and future pools, to Micrometer's registries. Thread-safe.
 *
 * <pre>{@code
 * new InstrumentedPoolMetrics().bindTo(registry);        // all pools
 * new InstrumentedPoolMetrics(orders).bindTo(registry);  // this one
 * }</pre>
 *
 * <p>Meters are polled: when a registry asks, it gets what the pool has counted anyway, at most 20 ms old. So meters
 * add nothing to the cost of a task. A pool's meters are removed when the pool has terminated, which means that its
 * queue is empty and its last worker has ended. They are also removed when the pool is collected, or when the binder is
 * {@linkplain #close() closed}. A binder need not be kept, and keeps no pool from being collected.
 *
 * <p>A pool that two binders bind to the same registry has its meters once, with the choices of the first binder.
 * Micrometer's own {@code ExecutorServiceMetrics} uses the same names for the same pool: whichever registers a name
 * first has it, and nothing is counted twice.
 */
public final class InstrumentedPoolMetrics implements MeterBinder, AutoCloseable {

    private final Binding binding;
    private final boolean usesGlobalMonitor;
    private int closings; // how often this was closed; guarded by this

    /** Binds all living and future pools, with the default choices. */
    public InstrumentedPoolMetrics() {
        this(builder());
    }

    /**
     * Binds one pool, with the default choices.
     *
     * @param pool the pool, not null
     */
    public InstrumentedPoolMetrics(InstrumentedPool pool) {
        this(builder().pool(pool));
    }

    private InstrumentedPoolMetrics(Builder builder) {
        boolean isOff = "off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY));
        this.binding = new Binding(builder.options(), builder.pool, builder.withFindings ? builder.monitor : null);
        this.usesGlobalMonitor = builder.withFindings && builder.monitor == null && !isOff;
    }

    /**
     * Starts to build a binder with other choices.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Registers the meters. This is done at once, unless findings come from the global monitor and its start
     * {@linkplain PoolMonitor#startLater() is put off}: then it is done when that monitor starts.
     *
     * @param registry the registry, not null; binding it again has no effect
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry must not be null");
        int closingsBefore;
        synchronized (this) {
            closingsBefore = closings;
        }
        if (usesGlobalMonitor) {
            PoolMonitor.onGlobal(global -> {
                binding.monitor(global);
                addUnlessClosed(registry, closingsBefore);
            });
        } else {
            addUnlessClosed(registry, closingsBefore);
        }
    }

    private synchronized void addUnlessClosed(MeterRegistry registry, int closingsBefore) {
        if (closings == closingsBefore) {
            RegistryMeters.of(registry).add(binding);
        }
    }

    /** Removes the meters from all registries, except those that another binder has bound too. */
    @Override
    public synchronized void close() {
        closings++;
        RegistryMeters.removeFromAll(binding);
    }

    /** Builds a binder. Not thread-safe. No argument may be null. */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {

        private @Nullable InstrumentedPool pool;
        private @Nullable PoolMonitor monitor;
        private boolean withFindings = true;
        private List<Double> percentiles = List.of();
        private boolean histograms;
        private int kinds;
        private int mostPools = 200;
        private boolean standardTimers = true;
        private Duration standardTimersAfter = Duration.ofSeconds(10);
        private Duration keptFor = Duration.ZERO;
        private boolean openTelemetryNames;
        private String pages = "docs/findings/";

        private Builder() {}

        /** Binds this pool only. The default is to bind all pools. */
        public Builder pool(InstrumentedPool one) {
            Objects.requireNonNull(one, "pool must not be null");
            pool = Pools.find(Pools.nameOf(one))
                    .orElse(one); // a single-thread pool's wrapper may be dropped before the pool
            return this;
        }

        /**
         * Publishes recent percentiles of the five distributions, for instance 0.5 and 0.99. The default is none.
         * Percentiles cannot be combined over pools or instances; {@link #histograms() histograms} can.
         *
         * @throws IllegalArgumentException if one is not between 0 and 1
         */
        public Builder percentiles(double... quantiles) {
            for (double quantile : quantiles) {
                if (!(quantile >= 0 && quantile <= 1)) {
                    throw new IllegalArgumentException("percentiles must be between 0 and 1 (was " + quantile + ")");
                }
            }
            percentiles = Arrays.stream(quantiles).boxed().toList();
            return this;
        }

        /**
         * Publishes cumulative histograms of the five distributions, for Prometheus' {@code histogram_quantile}. The
         * default is none. Each is 28 counters, whose values are exact. Deny the distributions that you do not need by
         * a filter of the registry.
         */
        public Builder histograms() {
            histograms = true;
            return this;
        }

        /**
         * Publishes times of so many kinds of task of each pool. The first ones have meters of their own, and all
         * others share the kind {@code (other)}. The default is 0, which is none.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder kinds(int most) {
            kinds = atLeast("kinds", 0, most);
            return this;
        }

        /**
         * Limits how many pools have meters in a registry to which all pools are bound. The default is 200. Further
         * pools get meters when others have terminated; {@code lifeguard.pools} tells how many wait for that.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder mostPools(int most) {
            mostPools = atLeast("mostPools", 1, most);
            return this;
        }

        /**
         * Sets the age at which a pool gets the timers {@code executor} and {@code executor.idle}, if it was created
         * after the binding. The default is 10 seconds; zero registers them at once. Micrometer's
         * {@code ExecutorServiceMetrics.monitor}, to which a program may pass its new pool, registers timers of the
         * same names and fails if they are taken.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder standardTimersAfter(Duration age) {
            standardTimersAfter = notNegative("standardTimersAfter", age);
            return this;
        }

        /** Never publishes the timers {@code executor} and {@code executor.idle}. */
        public Builder withoutStandardTimers() {
            standardTimers = false;
            return this;
        }

        /**
         * Keeps the meters of a terminated pool for some time, so that a registry that publishes in steps, or is
         * scraped, sees the pool's last values. The default is zero. A new pool of the same name replaces them at once.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder keepAfterTermination(Duration time) {
            keptFor = notNegative("keepAfterTermination", time);
            return this;
        }

        /**
         * Publishes eight or nine further meters under the names that OpenTelemetry proposes for executors of the JVM,
         * {@code jvm.executor.…}. The default is not to, because the {@code executor.…} meters say the same. The names
         * are of a proposal (semantic conventions, issue 3956), and may change until it is accepted.
         */
        public Builder openTelemetryNames() {
            openTelemetryNames = true;
            return this;
        }

        /**
         * Sets the address of the pages that explain findings, before the finding's id and {@code .md}. The default is
         * {@code docs/findings/}.
         */
        public Builder findingPages(String prefix) {
            pages = Objects.requireNonNull(prefix, "prefix must not be null");
            return this;
        }

        /**
         * Sets the monitor whose findings are published. The default is the {@linkplain PoolMonitor#global() global}
         * monitor, or none if the system property {@value PoolMonitor#PROPERTY} is {@code off}.
         */
        public Builder monitor(PoolMonitor source) {
            monitor = Objects.requireNonNull(source, "monitor must not be null");
            withFindings = true;
            return this;
        }

        /** Publishes no findings, and needs no monitor. */
        public Builder withoutFindings() {
            withFindings = false;
            return this;
        }

        /**
         * Builds the binder.
         *
         * @return a binder that has bound nothing yet
         */
        public InstrumentedPoolMetrics build() {
            return new InstrumentedPoolMetrics(this);
        }

        private MeterOptions options() {
            return new MeterOptions(
                    percentiles,
                    histograms,
                    kinds,
                    mostPools,
                    standardTimers,
                    standardTimersAfter,
                    keptFor,
                    openTelemetryNames,
                    pages);
        }

        private static int atLeast(String argument, int bound, int value) {
            if (value < bound) {
                throw new IllegalArgumentException(argument + " must be >= " + bound + " (was " + value + ")");
            }
            return value;
        }

        private static Duration notNegative(String argument, Duration value) {
            Objects.requireNonNull(value, argument + " must not be null");
            if (value.isNegative()) {
                throw new IllegalArgumentException(argument + " must not be negative (was " + value + ")");
            }
            return value;
        }
    }
}
