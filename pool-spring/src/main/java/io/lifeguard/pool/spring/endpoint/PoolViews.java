package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.FindingJson;
import io.lifeguard.pool.schema.JsonValues;
import io.lifeguard.pool.schema.PoolJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes the JSON of the endpoint, as maps that follow the {@linkplain Document published schema}. Durations are numbers
 * of seconds, under names that end with {@code Seconds}. Unknown values are absent. Names that begin with
 * {@code omitted} say how many items were left out. Stateless.
 */
final class PoolViews {

    private static final int MOST_KINDS = 16;

    private PoolViews() {}

    /** Returns one pool, with its distributions by name, and its kinds of tasks with most wall time first. */
    static Map<String, Object> detail(PoolSnapshot pool, String blindness, List<Finding> findings) {
        Map<String, Object> json = Document.POOL_DETAIL.begin();
        json.put("pool", PoolJson.of(pool, blindness, findings));
        if (pool.countsTasks()) {
            json.put("submitted", pool.submitted());
        }
        if (PoolJson.measures(pool)) {
            json.put("failed", pool.failed());
            json.put("rejected", pool.rejected());
            json.put("callerRuns", pool.callerRuns());
            json.put("blockedNow", pool.saturation().blockedNow());
            json.put("oldestQueuedSeconds", JsonValues.seconds(pool.load().oldestQueued()));
        }
        json.put("times", times(pool));
        json.put(
                "kinds",
                pool.kinds().stream().limit(MOST_KINDS).map(PoolViews::kind).toList());
        json.put("omittedKinds", Math.max(0, pool.kinds().size() - MOST_KINDS));
        json.put("findings", FindingJson.of(findings));
        return json;
    }

    /** Says of a pool with a thread per task how long its longest task runs, and what its threads wait for in line. */
    static void putThreads(Map<String, Object> json, InstrumentedPool pool, List<WaitingThreads> waiting) {
        if (pool.threadCount() > 0) {
            json.put("longestRunSeconds", JsonValues.seconds(pool.longestRun()));
            json.put("waiting", waiting.stream().map(PoolViews::waiting).toList());
        }
    }

    private static Map<String, Object> waiting(WaitingThreads line) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("threads", line.waiting());
        json.put("kind", line.kind().name().toLowerCase(Locale.ROOT));
        json.put("object", line.object());
        json.put("place", line.place());
        return json;
    }

    private static Map<String, Object> times(PoolSnapshot pool) {
        Map<String, Object> json = new LinkedHashMap<>();
        putTimes(json, "queueWait", pool.queueWait());
        putTimes(json, "serviceTime", pool.serviceTime());
        putTimes(json, "cpuTime", pool.cpuTime());
        putTimes(json, "blockedSubmit", pool.blockedSubmit());
        putTimes(json, "callerRunTime", pool.callerRunTime());
        return json;
    }

    private static void putTimes(Map<String, Object> times, String name, Distribution values) {
        if (values.isKnown()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("count", values.count());
            if (values.isMeanKnown()) {
                json.put("meanSeconds", JsonValues.seconds(values.mean()));
            }
            json.put("p50Seconds", JsonValues.seconds(values.percentile(0.5)));
            json.put("p99Seconds", JsonValues.seconds(values.percentile(0.99)));
            json.put("maxSeconds", JsonValues.seconds(values.max()));
            json.put("accuracy", values.accuracy().name().toLowerCase(Locale.ROOT));
            times.put(name, json);
        }
    }

    /** Returns how many tasks of a kind ran, and the sums of their times. */
    private static Map<String, Object> kind(PoolSnapshot.TaskKind kind) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", kind.name());
        json.put("count", kind.count());
        json.put("wallSeconds", JsonValues.seconds(kind.wall()));
        json.put("cpuSeconds", JsonValues.seconds(kind.cpu()));
        json.put("queueWaitSeconds", JsonValues.seconds(kind.queueWait()));
        return json;
    }
}
