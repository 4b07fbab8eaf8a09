package io.lifeguard.pool.micronaut;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import org.reactivestreams.Publisher;

/**
 * Is {@code DEGRADED} while there is a critical finding, and names all findings by pool. Stateless. Micronaut answers
 * 200 then, so no platform restarts an application, or takes requests from it, because of that.
 */
@Singleton
@Requires(classes = HealthIndicator.class, beans = ApplicationMonitor.class)
@Requires(property = "endpoints.health.threadpools.enabled", notEquals = "false")
public final class ThreadPoolsHealth implements HealthIndicator {

    private static final HealthStatus DEGRADED =
            new HealthStatus("DEGRADED", "a thread pool has a critical finding", true, 100); // between UP and UNKNOWN

    private final PoolMonitor monitor;

    /**
     * Made by the container.
     *
     * @param application has the monitor, not null
     */
    ThreadPoolsHealth(ApplicationMonitor application) {
        this.monitor = application.get();
    }

    @Override
    public Publisher<HealthResult> getResult() {
        HealthStatus status = HealthStatus.UP;
        Map<String, String> ids = new TreeMap<>();
        for (Finding finding : monitor.findings()) {
            status = finding.severity() == Severity.CRITICAL ? DEGRADED : status;
            ids.merge(finding.pool(), finding.id(), (first, second) -> first + ", " + second);
        }
        return Publishers.just(
                HealthResult.builder("threadpools", status).details(ids).build());
    }
}
