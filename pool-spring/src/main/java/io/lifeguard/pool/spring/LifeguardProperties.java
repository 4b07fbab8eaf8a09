package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.Severity;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All that can be configured. Immutable.
 *
 * @param enabled Whether Lifeguard instruments, watches, meters and shows anything.
 * @param window How long the windows are in which pools are judged, from 10 ms to 10 minutes.
 * @param logReminder How often the log is reminded of a finding that lasts, from 1 second to 1 day.
 * @param rules Which findings are made, by their ids. All are, unless switched off here.
 * @param thresholds Numbers that rules compare with, by finding-id.what-it-is. Each rule has its defaults.
 * @param taskExecution What becomes of Boot's applicationTaskExecutor.
 * @param taskScheduling What becomes of Boot's taskScheduler.
 * @param watch Which pools that are not Lifeguard's are watched.
 * @param metrics What is published through Micrometer.
 * @param endpoint What the endpoint "threadpools" shows and allows.
 * @param health What the health contributor "threadpools" says; it has to be switched on with management.health.threadpools.enabled.
 * @param pools Pools that become beans, by their names.
 */
@ConfigurationProperties(prefix = LifeguardProperties.PREFIX, ignoreUnknownFields = false)
record LifeguardProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1s") Duration window,
        @DefaultValue("1m") Duration logReminder,
        @DefaultValue Map<String, Boolean> rules,
        @DefaultValue Map<String, Double> thresholds,
        @DefaultValue TaskExecution taskExecution,
        @DefaultValue TaskScheduling taskScheduling,
        @DefaultValue Watch watch,
        @DefaultValue Metrics metrics,
        @DefaultValue Endpoint endpoint,
        @DefaultValue Health health,
        @DefaultValue Map<String, PoolProperties> pools) {

    static final String PREFIX = "lifeguard";

    /** What Boot makes of no properties at all. */
    static final LifeguardProperties DEFAULTS = new LifeguardProperties(
            true,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Map.of(),
            Map.of(),
            new TaskExecution(true),
            new TaskScheduling(true),
            new Watch(true, true, Set.of()),
            new Metrics(true, List.of(), false, 0, 200, Duration.ZERO, "docs/findings/"),
            new Endpoint(200, 256, 32, 1000),
            new Health(Severity.CRITICAL, "DEGRADED"),
            Map.of());

    LifeguardProperties {
        pools = withoutRepetition(pools);
    }

    /** Boot reads "ordermail" from an environment variable that overrides a property of "order-mail", and takes it for one more key. */
    private static Map<String, PoolProperties> withoutRepetition(Map<String, PoolProperties> pools) {
        Map<String, PoolProperties> once = new LinkedHashMap<>(pools);
        for (String name : pools.keySet()) {
            if (!name.equals(Words.uniform(name))) {
                once.remove(Words.uniform(name));
            }
        }
        return once;
    }

    /**
     * What becomes of Boot's applicationTaskExecutor.
     *
     * @param enabled Whether Boot's applicationTaskExecutor measures its tasks. If not, it is watched.
     */
    record TaskExecution(@DefaultValue("true") boolean enabled) {}

    /**
     * What becomes of Boot's taskScheduler.
     *
     * @param enabled Whether Boot's taskScheduler measures its tasks. If not, it is watched.
     */
    record TaskScheduling(@DefaultValue("true") boolean enabled) {}

    /**
     * Which pools that are not Lifeguard's are watched.
     *
     * @param beans Whether executors that are beans of the application are watched.
     * @param webServer Whether the request threads of Tomcat and Jetty are watched.
     * @param exclude Names of beans that are not watched.
     */
    record Watch(
            @DefaultValue("true") boolean beans,
            @DefaultValue("true") boolean webServer,
            @DefaultValue Set<String> exclude) {}

    /**
     * What is published through Micrometer.
     *
     * @param enabled Whether the meters of Lifeguard are bound to Boot's registry.
     * @param percentiles Which recent percentiles of the times are published, for instance 0.5,0.99. None by default.
     * @param histograms Whether cumulative histograms of the times are published, 28 counters each.
     * @param kinds For how many kinds of tasks of a pool there are meters.
     * @param maxPools How many pools have meters at most.
     * @param keepAfterTermination How long the meters of a terminated pool are kept.
     * @param findingPages What stands before a finding's id in the address of the page that explains it.
     */
    record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue List<Double> percentiles,
            @DefaultValue("false") boolean histograms,
            @DefaultValue("0") int kinds,
            @DefaultValue("200") int maxPools,
            @DefaultValue("0s") Duration keepAfterTermination,
            @DefaultValue("docs/findings/") String findingPages) {}

    /**
     * What the endpoint "threadpools" shows and allows.
     *
     * @param maxPools How many pools are shown at most.
     * @param maxThreads Of how many threads of a pool the stacks are read at most.
     * @param maxStackDepth How many frames of a stack are shown at most.
     * @param maxPoolSize To how many threads a pool may be resized at most. Resizing itself has to be allowed with
     *     management.endpoint.threadpools.access=unrestricted.
     */
    record Endpoint(
            @DefaultValue("200") int maxPools,
            @DefaultValue("256") int maxThreads,
            @DefaultValue("32") int maxStackDepth,
            @DefaultValue("1000") int maxPoolSize) {}

    /**
     * What the health contributor "threadpools" says.
     *
     * @param severity How bad a finding has to be to change the status.
     * @param status The status while there is such a finding. Boot's aggregate status ignores DEGRADED, since it does not know it; OUT_OF_SERVICE and
     *     DOWN change it, and take the instance out of a load balancer.
     */
    record Health(
            @DefaultValue("critical") Severity severity,
            @DefaultValue("DEGRADED") String status) {}
}
