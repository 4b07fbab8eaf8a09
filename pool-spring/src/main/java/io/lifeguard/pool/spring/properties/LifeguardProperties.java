package io.lifeguard.pool.spring.properties;

import io.lifeguard.pool.diagnosis.Severity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties below {@code lifeguard.}. Immutable.
 *
 * @param enabled Whether Lifeguard instruments, watches, meters and shows anything.
 * @param instrument Which executors measure their tasks: all of Spring's types, those that Boot or properties declare,
 *     or none of them. Declared pools always do.
 * @param window Length of the windows in which pools are judged, from 10 ms to 10 minutes. Windows are 250 ms while a
 *     pool is young or a finding is suspected, unless this is shorter.
 * @param logReminder How often the log repeats a finding that lasts, from 1 second to 1 day.
 * @param blackBox Where the last minute before a critical finding is written.
 * @param rules Which findings are made, by their ids. All are made unless switched off here.
 * @param thresholds Numbers that rules compare with, by finding-id.threshold-name. Each rule has its defaults.
 * @param taskExecution How Boot's applicationTaskExecutor is instrumented.
 * @param taskScheduling How Boot's taskScheduler is instrumented.
 * @param virtualThreads How many virtual threads Boot's executors have.
 * @param watch Which external pools are watched.
 * @param metrics What is published through Micrometer.
 * @param endpoint What the endpoint "threadpools" shows and allows.
 * @param health What the health contributor "threadpools" says; switched on with management.health.threadpools.enabled.
 * @param pools Pools that become beans, by their names.
 */
@ConfigurationProperties(prefix = LifeguardProperties.PREFIX, ignoreUnknownFields = false)
public record LifeguardProperties(
        @DefaultValue("true") boolean enabled,

        @DefaultValue("declared") Instrument instrument,

        @Between(least = "10ms", most = "10m") @DefaultValue("1s")
        Duration window,

        @Between(least = "1s", most = "1d") @DefaultValue("1m")
        Duration logReminder,

        @DefaultValue BlackBox blackBox,
        @DefaultValue Map<String, Boolean> rules,
        @DefaultValue Map<String, Double> thresholds,
        @DefaultValue Instrumentation taskExecution,
        @DefaultValue Instrumentation taskScheduling,
        @DefaultValue VirtualThreads virtualThreads,
        @DefaultValue Watch watch,
        @DefaultValue Metrics metrics,
        @DefaultValue Endpoint endpoint,
        @DefaultValue Health health,
        @DefaultValue Map<String, PoolProperties> pools) {

    /** The prefix of all keys. */
    public static final String PREFIX = "lifeguard";

    /** The properties if none is set. They spare an application that sets none the time of binding. */
    public static final LifeguardProperties DEFAULTS = new LifeguardProperties(
            true,
            Instrument.DECLARED,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            new BlackBox(null),
            Map.of(),
            Map.of(),
            new Instrumentation(true),
            new Instrumentation(true),
            new VirtualThreads(null, VirtualThreads.QUEUE_CAPACITY),
            new Watch(true, true, Set.of()),
            new Metrics(true, List.of(), false, 0, 200, Duration.ZERO, "docs/findings/", false),
            new Endpoint(200, 256, 32, 1000),
            new Health(Severity.CRITICAL, "DEGRADED"),
            Map.of());

    /** Removes repeated pools. */
    public LifeguardProperties {
        pools = withoutRepetition(pools);
    }

    /**
     * An environment variable has neither dashes nor small letters. So LIFEGUARD_POOLS_ORDERMAIL_SIZE, which overrides
     * the size of the pool "order-mail", also looks like a property of a pool "ordermail".
     */
    private static Map<String, PoolProperties> withoutRepetition(Map<String, PoolProperties> pools) {
        Map<String, PoolProperties> once = new LinkedHashMap<>(pools);
        for (String name : pools.keySet()) {
            String inVariable = name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
            if (!name.equals(inVariable)) {
                once.remove(inVariable);
            }
        }
        return once;
    }

    /** Which executors measure their tasks. */
    public enum Instrument {
        /** Also the application's own beans of Spring's types: the pool inside is replaced before its first use. */
        ALL,
        /** Boot's executors, and the pools that properties declare. */
        DECLARED,
        /** Only the pools that properties declare. */
        NONE
    }

    /**
     * Says where the last minute before a critical finding is written.
     *
     * @param directory Directory for flight recordings, of which the newest ten are kept. Without it, none is written.
     */
    public record BlackBox(@Nullable Path directory) {}

    /**
     * Says how an executor of Boot is instrumented.
     *
     * @param enabled Whether Boot's executor measures its tasks. Otherwise it is watched from outside.
     */
    public record Instrumentation(@DefaultValue("true") boolean enabled) {}

    /**
     * Says how many virtual threads each of Boot's executors has, with spring.threads.virtual.enabled=true.
     *
     * @param limit How many tasks an executor of Boot runs at a time, each on a virtual thread. By default without
     *     limit, as in Boot.
     * @param queueCapacity How many tasks may wait when the limit is reached. While the queue is full, submitters wait.
     *     Only with a limit.
     */
    public record VirtualThreads(
            @Between(least = "1", most = PoolProperties.MOST_THREADS) @Nullable
            Integer limit,

            @Between(least = "0", most = "2147483647") @DefaultValue("1024")
            int queueCapacity) {

        static final int QUEUE_CAPACITY = 1024;
    }

    /**
     * Says which external pools are watched.
     *
     * @param beans Whether executors that are beans of the application are watched.
     * @param webServer Whether the request threads of Tomcat and Jetty are watched.
     * @param exclude Names of beans that are not watched.
     */
    public record Watch(
            @DefaultValue("true") boolean beans,
            @DefaultValue("true") boolean webServer,
            @DefaultValue Set<String> exclude) {}

    /**
     * Says what is published through Micrometer.
     *
     * @param enabled Whether Lifeguard's meters are bound to Boot's registry.
     * @param percentiles Which recent percentiles of the times are published, for instance 0.5,0.99. None by default.
     * @param histograms Whether cumulative histograms of the times are published, 28 counters each.
     * @param kinds How many kinds of tasks have meters in each pool.
     * @param maxPools How many pools have meters at most.
     * @param keepAfterTermination How long the meters of a terminated pool are kept.
     * @param findingPages The address of a finding's page without the finding's id, which follows it.
     * @param openTelemetryNames Whether meters with OpenTelemetry's proposed names jvm.executor.* are published, too.
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @Between(least = "0", most = "1") @DefaultValue List<Double> percentiles,
            @DefaultValue("false") boolean histograms,

            @Between(least = "0", most = "1000") @DefaultValue("0")
            int kinds,

            @Between(least = "1", most = "10000") @DefaultValue("200")
            int maxPools,

            @Between(least = "0s", most = "365d") @DefaultValue("0s")
            Duration keepAfterTermination,

            @DefaultValue("docs/findings/") String findingPages,
            @DefaultValue("false") boolean openTelemetryNames) {}

    /**
     * Says what the endpoint "threadpools" shows and allows.
     *
     * @param maxPools How many pools are shown at most.
     * @param maxThreads How many threads of a pool have their stacks read at most.
     * @param maxStackDepth How many frames of a stack are shown at most.
     * @param maxPoolSize How many threads a pool may be resized to at most. Resizing has to be allowed with
     *     management.endpoint.threadpools.access=unrestricted.
     */
    public record Endpoint(
            @Between(least = "1", most = "10000") @DefaultValue("200")
            int maxPools,

            @Between(least = "1", most = "10000") @DefaultValue("256")
            int maxThreads,

            @Between(least = "1", most = "1000") @DefaultValue("32")
            int maxStackDepth,

            @Between(least = "1", most = PoolProperties.MOST_THREADS) @DefaultValue("1000")
            int maxPoolSize) {}

    /**
     * Says how findings change the health of the application.
     *
     * @param severity The least severity of a finding that changes the status.
     * @param status The status while there is such a finding. Boot's aggregate status ignores DEGRADED, which it does
     *     not know. OUT_OF_SERVICE and DOWN change it, and take the instance out of a load balancer.
     */
    public record Health(
            @DefaultValue("critical") Severity severity,
            @DefaultValue("DEGRADED") String status) {

        /**
         * Checks the status.
         *
         * @throws IllegalArgumentException if it is blank or UP
         */
        public Health {
            if (status.isBlank() || status.strip().equalsIgnoreCase("UP")) {
                throw new IllegalArgumentException("lifeguard.health.status must name a status other than UP (was \""
                        + status + "\"): choose DEGRADED, OUT_OF_SERVICE or DOWN");
            }
        }
    }
}
