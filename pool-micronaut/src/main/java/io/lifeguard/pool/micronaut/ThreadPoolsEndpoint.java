package io.lifeguard.pool.micronaut;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.FindingJson;
import io.lifeguard.pool.schema.PoolJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The endpoint {@code threadpools}: all pools and all findings, in the published schema. Stateless, and read-only. */
@Endpoint(id = "threadpools", defaultSensitive = true)
@Requires(classes = Endpoint.class, beans = ApplicationMonitor.class)
public final class ThreadPoolsEndpoint {

    private static final int MOST = 100; // pools, and findings

    private final PoolMonitor monitor;

    /**
     * Made by the container.
     *
     * @param application has the monitor, not null
     */
    ThreadPoolsEndpoint(ApplicationMonitor application) {
        this.monitor = application.get();
    }

    /** {@return the document} */
    @Read
    public Map<String, Object> pools() {
        List<Finding> findings = monitor.findings();
        List<InstrumentedPool> pools = monitor.pools();
        List<Map<String, Object>> shown = new ArrayList<>();
        Map<String, String> notShown = new TreeMap<>();
        for (InstrumentedPool pool : pools.subList(0, Math.min(MOST, pools.size()))) {
            try {
                PoolSnapshot snapshot = pool.snapshot();
                String blindness = PoolMonitor.blindness(pool).orElse("");
                shown.add(PoolJson.of(snapshot, blindness, ofPool(findings, snapshot.name())));
            } catch (RuntimeException e) { // collected meanwhile: must not hide the other pools
                notShown.put(
                        pool.getClass().getName(),
                        "cannot be read: " + e.getClass().getName());
            }
        }
        Map<String, Object> json = Document.POOLS.begin();
        json.put("pools", shown);
        json.put("omittedPools", Math.max(0, pools.size() - MOST));
        json.put("findings", FindingJson.of(findings.subList(0, Math.min(MOST, findings.size()))));
        json.put("omittedFindings", Math.max(0, findings.size() - MOST));
        json.put("notLookedAt", Document.notLookedAt(notShown));
        return json;
    }

    private static List<Finding> ofPool(List<Finding> findings, String name) {
        return findings.stream().filter(finding -> finding.pool().equals(name)).toList();
    }
}
