package io.lifeguard.pool.quarkus;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/**
 * Is down while there is a critical finding, and names all findings by pool. A bean of applications that use SmallRye
 * Health. Stateless. It tells of wellness: no platform restarts an application, or takes requests from it, because of
 * that.
 */
@Wellness
@ApplicationScoped
public class LifeguardHealthCheck implements HealthCheck {

    /** Made by the container. */
    public LifeguardHealthCheck() {}

    @Override
    public HealthCheckResponse call() {
        boolean isUp = true;
        Map<String, String> ids = new TreeMap<>();
        for (Finding finding : PoolMonitor.global().findings()) {
            isUp &= finding.severity() != Severity.CRITICAL;
            ids.merge(finding.pool(), finding.id(), (first, second) -> first + ", " + second);
        }
        var response = HealthCheckResponse.named("thread pools").status(isUp);
        ids.forEach(response::withData);
        return response.build();
    }
}
