package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.spring.PoolProperties.WhenSaturated;
import java.time.Duration;
import java.util.Locale;

/** What has to hold of the properties beyond their types. Stateless. */
final class PropertyChecks {

    /** More threads than this are a typing error: each has a stack of its own, by default 1 MiB of address space. */
    private static final int MOST_THREADS = 32_767;

    /** More is a typing error, and at some point more than nanoseconds can count. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private PropertyChecks() {}

    /**
     * Checks all that can be checked without the beans.
     *
     * @throws BadPropertyException at the first value that cannot be
     */
    static void check(LifeguardProperties properties) {
        between("lifeguard.window", properties.window(), Duration.ofMillis(10), Duration.ofMinutes(10));
        between("lifeguard.log-reminder", properties.logReminder(), Duration.ofSeconds(1), Duration.ofDays(1));
        properties.thresholds().forEach(PropertyChecks::checkThreshold);
        checkMetrics(properties.metrics());
        LifeguardProperties.Endpoint endpoint = properties.endpoint();
        between("lifeguard.endpoint.max-pools", endpoint.maxPools(), 1, 10_000);
        between("lifeguard.endpoint.max-threads", endpoint.maxThreads(), 1, 10_000);
        between("lifeguard.endpoint.max-stack-depth", endpoint.maxStackDepth(), 1, 1_000);
        between("lifeguard.endpoint.max-pool-size", endpoint.maxPoolSize(), 1, MOST_THREADS);
        checkStatus(properties.health().status());
        properties.pools().forEach(PropertyChecks::checkPool);
    }

    private static void checkThreshold(String key, Double value) {
        if (!Double.isFinite(value)) {
            throw new BadPropertyException(
                    "lifeguard.thresholds." + key, value, "be a finite number", "Write a number, for instance 0.2.");
        }
    }

    /**
     * Checks a threshold of a rule of ours: it is an amount, and a share where its own words say so.
     *
     * @throws BadPropertyException if it cannot be that
     */
    static void checkAmount(String key, double value, Threshold threshold) {
        String usual = "; the default is " + threshold.value() + ".";
        if (value < 0) {
            throw new BadPropertyException(key, value, "not be negative", "Write a number of at least 0" + usual);
        }
        if (value > 1 && threshold.meaning().contains("0 to 1")) {
            throw new BadPropertyException(
                    key, value, "be between 0 and 1", "Write a share of 1, for instance 0.25 for 25 %" + usual);
        }
    }

    private static void checkMetrics(LifeguardProperties.Metrics metrics) {
        for (double percentile : metrics.percentiles()) {
            if (!(percentile >= 0 && percentile <= 1)) {
                throw new BadPropertyException(
                        "lifeguard.metrics.percentiles",
                        percentile,
                        "hold numbers between 0 and 1",
                        "Write 0.99 for the 99th percentile.");
            }
        }
        between("lifeguard.metrics.kinds", metrics.kinds(), 0, 1_000);
        between("lifeguard.metrics.max-pools", metrics.maxPools(), 1, 10_000);
        notNegative(
                "lifeguard.metrics.keep-after-termination",
                metrics.keepAfterTermination(),
                "Choose 0s to remove the meters at once.");
    }

    private static void checkStatus(String status) {
        String upper = status.strip().toUpperCase(Locale.ROOT);
        if (upper.isEmpty() || upper.equals("UP")) {
            throw new BadPropertyException(
                    "lifeguard.health.status",
                    '"' + status + '"',
                    "name a status other than UP",
                    "Choose DEGRADED, OUT_OF_SERVICE or DOWN; to say nothing, leave management.health.threadpools.enabled"
                            + " at false.");
        }
    }

    private static void checkPool(String name, PoolProperties pool) {
        String prefix = "lifeguard.pools." + name + ".";
        Integer size = pool.size();
        if (size != null) {
            between(prefix + "size", size, 1, MOST_THREADS);
        }
        if (pool.queueCapacity() < 0) {
            throw new BadPropertyException(
                    prefix + "queue-capacity",
                    pool.queueCapacity(),
                    "be at least 0",
                    "Choose how many tasks may wait; 0 hands each task to a free thread, 2147483647 is no bound.");
        }
        checkMaxWait(prefix, pool);
        notNegative(prefix + "shutdown-wait", pool.shutdownWait(), "Choose 0s to stop without waiting.");
    }

    private static void checkMaxWait(String prefix, PoolProperties pool) {
        Duration maxWait = pool.maxWait();
        if (maxWait == null) {
            return;
        }
        notNegative(
                prefix + "max-wait",
                maxWait,
                "Choose how long a submitter may wait, or leave it out to wait as long as it takes.");
        if (pool.whenSaturated() != WhenSaturated.WAIT) {
            throw new BadPropertyException(
                    prefix + "max-wait",
                    Words.of(maxWait),
                    "not be set with when-saturated="
                            + pool.whenSaturated()
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-')
                            + ", with which nobody waits",
                    "Remove it, or choose when-saturated=wait.");
        }
    }

    private static void between(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new BadPropertyException(
                    key, value, "be between " + least + " and " + most, "Choose a number within these bounds.");
        }
    }

    private static void between(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new BadPropertyException(
                    key,
                    Words.of(value),
                    "be between " + Words.of(least) + " and " + Words.of(most),
                    "Choose a duration within these bounds, for instance " + Words.of(least) + ".");
        }
    }

    private static void notNegative(String key, Duration value, String remedy) {
        if (value.isNegative()) {
            throw new BadPropertyException(key, Words.of(value), "not be negative", remedy);
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new BadPropertyException(key, Words.of(value), "be at most " + Words.of(LONGEST), remedy);
        }
    }
}
