package io.lifeguard.pool.schema;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the JSON of pools, as maps: the part {@code pool} of the schema. Stateless. */
public final class PoolJson {

    private PoolJson() {}

    /** {@return a pool in one line, with the ids of its findings} */
    public static Map<String, Object> of(PoolSnapshot pool, String blindness, List<Finding> findings) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", pool.name());
        json.put("kind", measures(pool) ? "instrumented" : "watched");
        putBlindness(json, blindness);
        json.put("threads", pool.size());
        json.put("coreSize", pool.limits().coreSize());
        json.put("maximumSize", pool.limits().maximumSize());
        json.put("active", pool.active());
        json.put("queued", pool.queued());
        if (pool.limits().queueRemaining() != Integer.MAX_VALUE) { // the queue has a bound
            json.put("queueRemaining", pool.limits().queueRemaining());
        }
        if (pool.countsTasks()) {
            json.put("completed", pool.completed());
        }
        json.put("findingIds", findings.stream().map(Finding::id).toList());
        return json;
    }

    /** Says why it is unknown what the threads of a watched pool do, unless the reason is empty. */
    public static void putBlindness(Map<String, Object> json, String blindness) {
        if (!blindness.isEmpty()) {
            json.put("blind", blindness);
        }
    }

    /** {@return whether a pool measures times} A watched pool does not. */
    public static boolean measures(PoolSnapshot pool) {
        return pool.serviceTime().isKnown();
    }
}
