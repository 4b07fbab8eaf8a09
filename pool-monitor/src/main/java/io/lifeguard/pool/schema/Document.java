package io.lifeguard.pool.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A JSON document of Lifeguard. Its field {@code schema} names the part of the published schema that it follows, for
 * instance {@code urn:lifeguard:schema:1#watch}.
 *
 * <p>The schema is the resource {@value #RESOURCE} of this jar. Within a version, fields are added, but none is removed
 * or changes its meaning, so readers ignore fields that they do not know.
 */
public enum Document {
    /** A line of {@code lifeguard watch --json}. */
    WATCH,
    /** {@code lifeguard analyze --json}. */
    ANALYZE,
    /** {@code lifeguard dumps --json}. */
    DUMPS,
    /** {@code lifeguard ps --json}. */
    PS,
    /** The actuator endpoint {@code threadpools}. */
    POOLS,
    /** One pool of the actuator endpoint. */
    POOL_DETAIL,
    /** The raised findings of one pool, or of all. */
    FINDINGS,
    /** What the threads of one pool of the actuator endpoint do. */
    THREADS;

    /** Where the schema is, from the root of the jar. */
    public static final String RESOURCE = "io/lifeguard/pool/schema/lifeguard-1.schema.json";

    /** The name of the schema, its field {@code $id}. */
    public static final String ID = "urn:lifeguard:schema:1";

    /** {@return a new document that holds nothing yet but which schema it follows} */
    public Map<String, Object> begin() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", ID + "#" + word(this));
        return json;
    }

    public static Map<String, Object> notLookedAt(String what, String why) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("what", what);
        json.put("why", why);
        return json;
    }

    public static List<Map<String, Object>> notLookedAt(Map<String, String> reasons) {
        return reasons.entrySet().stream()
                .map(entry -> notLookedAt(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** {@return how JSON writes a constant: {@code waiting-for-lock}} */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
