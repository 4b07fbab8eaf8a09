package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binds one pool, or all pools present and future, to Micrometer's registries. Thread-safe.
 *
 * <pre>{@code
 * new InstrumentedPoolMetrics().bindTo(registry);        // all pools
 * new InstrumentedPoolMetrics(orders).bindTo(registry);  // this one
 * }</pre>
 *
 * <p>The meters are those of {@link MeterNames}. They are pulled: what a pool has counted anyway is read when a registry asks, at most once
 * in 20 ms, and a task costs nothing more. A pool's meters go when it has terminated, which it has when its queue is empty and its last
 * worker has ended, when it is collected, or when whoever bound it {@linkplain #close() closes}. A binder need not be kept, and keeps no
 * pool.
 *
 * <p>A pool that is bound to a registry twice has its meters once, with the choices of the first. Micrometer's own
 * {@code ExecutorServiceMetrics} uses the same names for the same pool: who registers first has them, and what both have is counted once.
 */
public final class InstrumentedPoolMetrics implements MeterBinder, AutoCloseable {

    private final MeterOptions options;
    private final @Nullable WeakReference<InstrumentedPool> only; // null: all pools
    private final List<WeakReference<MeterRegistry>> registries = new ArrayList<>(); // guarded by itself

    /** Binds all pools, present and future, with the usual choices. */
    public InstrumentedPoolMetrics() {
        this(builder());
    }

    /**
     * Binds one pool, with the usual choices.
     *
     * @param pool the pool, not null
     */
    public InstrumentedPoolMetrics(InstrumentedPool pool) {
        this(builder().pool(pool));
    }

    private InstrumentedPoolMetrics(Builder builder) {
        this.options = builder.options();
        this.only = builder.pool == null ? null : new WeakReference<>(builder.pool);
    }

    /**
     * Begins a binder with choices.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Registers the meters: at once, or, while the global monitor from which findings come is {@linkplain PoolMonitor#startLater() put off}, with its
     * start.
     *
     * @param registry where, not null; bound twice is bound once
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry must not be null");
        synchronized (registries) {
            registries.removeIf(there -> there.refersTo(null));
            if (registries.stream().noneMatch(there -> there.refersTo(registry))) {
                registries.add(new WeakReference<>(registry));
            }
        }
        if (options.findings().isToCome()) {
            PoolMonitor.onGlobal(started -> addIfStillBound(registry));
        } else {
            RegistryMeters.of(registry).add(this);
        }
    }

    private void addIfStillBound(MeterRegistry registry) {
        synchronized (registries) {
            if (registries.stream().anyMatch(there -> there.refersTo(registry))) {
                RegistryMeters.of(registry).add(this);
            }
        }
    }

    /** Removes the meters from all registries, but for those that somebody else has bound too. */
    @Override
    public void close() {
        List<WeakReference<MeterRegistry>> bound;
        synchronized (registries) {
            bound = List.copyOf(registries);
            registries.clear();
        }
        for (WeakReference<MeterRegistry> there : bound) {
            MeterRegistry registry = there.get();
            if (registry != null) {
                RegistryMeters.of(registry).remove(this);
            }
        }
    }

    MeterOptions options() {
        return options;
    }

    boolean wantsAll() {
        return only == null;
    }

    boolean wants(InstrumentedPool pool) {
        return only == null || only.refersTo(pool);
    }

    boolean isTold(PoolMonitor monitor) {
        return options.findings().is(monitor);
    }

    /** The pools that it wants and that there are. */
    List<InstrumentedPool> living() {
        if (only == null) {
            return Pools.live();
        }
        InstrumentedPool pool = only.get();
        return pool == null ? List.of() : List.of(pool);
    }

    /** Builds a binder. Not thread-safe. */
    public static final class Builder {

        private @Nullable InstrumentedPool pool;
        private List<Double> percentiles = List.of();
        private boolean histograms;
        private int kinds;
        private int mostPools = 200;
        private boolean standardTimers = true;
        private Duration standardTimersAfter = Duration.ofSeconds(10);
        private Duration keptFor = Duration.ZERO;
        private String pages = "docs/findings/";
        private @Nullable PoolMonitor monitor;
        private boolean withFindings = true;

        private Builder() {}

        /**
         * Binds one pool only; all pools until told otherwise.
         *
         * @param one the pool, not null
         * @return this
         */
        public Builder pool(InstrumentedPool one) {
            Objects.requireNonNull(one, "pool must not be null");
            pool = Pools.find(one.name()).orElse(one); // not the wall before a single-thread pool, which may be dropped
            return this;
        }

        /**
         * Publishes percentiles of the five distributions, of what happened recently; none until told otherwise. They cannot be combined
         * over pools or instances: see {@link #histograms()}.
         *
         * @param quantiles which, for instance 0.5 and 0.99
         * @return this
         * @throws IllegalArgumentException if one is not between 0 and 1
         */
        public Builder percentiles(double... quantiles) {
            List<Double> all = new ArrayList<>();
            for (double quantile : quantiles) {
                if (!(quantile >= 0 && quantile <= 1)) {
                    throw new IllegalArgumentException("percentiles must be between 0 and 1 (was " + quantile + ")");
                }
                all.add(quantile);
            }
            percentiles = List.copyOf(all);
            return this;
        }

        /**
         * Publishes cumulative histograms of the five distributions, for Prometheus' {@code histogram_quantile}: 28 counters each, exact, from the
         * pool's own recorders. Deny those that you do not need by a filter of the registry.
         *
         * @return this
         */
        public Builder histograms() {
            histograms = true;
            return this;
        }

        /**
         * Publishes times by kind of task; none until told otherwise.
         *
         * @param most how many kinds of a pool have meters of their own, the first that are met; all others share the kind {@value MeterNames#OTHER}
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder kinds(int most) {
            kinds = atLeast("kinds", 0, most);
            return this;
        }

        /**
         * Bounds how many pools of a registry have meters when all are bound; 200 until told otherwise. Pools beyond have none until others have
         * terminated; {@value MeterNames#POOLS} says how many.
         *
         * @param most at least 1
         * @return this
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder mostPools(int most) {
            mostPools = atLeast("mostPools", 1, most);
            return this;
        }

        /**
         * Sets how old a pool must be before its timers {@value MeterNames#EXECUTION} and {@value MeterNames#IDLE} are registered, if it was created
         * after the binding: 10 seconds until told otherwise. Code that passes its new pool to Micrometer's {@code ExecutorServiceMetrics.monitor}
         * wants these two names, and would fail if they were taken.
         *
         * @param age not negative; zero registers them at once
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder standardTimersAfter(Duration age) {
            standardTimersAfter = notNegative("standardTimersAfter", age);
            return this;
        }

        /**
         * Never publishes the timers {@value MeterNames#EXECUTION} and {@value MeterNames#IDLE}.
         *
         * @return this
         */
        public Builder withoutStandardTimers() {
            standardTimers = false;
            return this;
        }

        /**
         * Keeps the meters of a terminated pool for so long, so that a registry that publishes in steps, or is scraped, learns of the pool's last
         * moments. They go at once until told otherwise, and in any case when a pool of the same name is created.
         *
         * @param time not negative
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder keepAfterTermination(Duration time) {
            keptFor = notNegative("keepAfterTermination", time);
            return this;
        }

        /**
         * Sets where the pages are that explain findings.
         *
         * @param prefix what stands before the finding's id and {@code .md}; {@code docs/findings/} until told otherwise
         * @return this
         */
        public Builder findingPages(String prefix) {
            pages = Objects.requireNonNull(prefix, "prefix must not be null");
            return this;
        }

        /**
         * Sets where findings come from; the {@linkplain PoolMonitor#global() global} monitor until told otherwise, unless the system property
         * {@value PoolMonitor#PROPERTY} is {@code off}.
         *
         * @param source the monitor, not null
         * @return this
         */
        public Builder monitor(PoolMonitor source) {
            monitor = Objects.requireNonNull(source, "monitor must not be null");
            withFindings = true;
            return this;
        }

        /**
         * Publishes no findings, and does not need a monitor.
         *
         * @return this
         */
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
                    pages,
                    withFindings ? monitorOrGlobal() : FindingSource.none());
        }

        private FindingSource monitorOrGlobal() {
            if (monitor != null) {
                return FindingSource.of(monitor);
            }
            return "off".equalsIgnoreCase(System.getProperty(PoolMonitor.PROPERTY))
                    ? FindingSource.none()
                    : FindingSource.global();
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
