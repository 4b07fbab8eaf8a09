package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Group;
import io.lifeguard.pool.tools.dumps.ThreadDumps.LockQueue;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the JSON of thread dumps: the part {@code dumps} of the schema. Stateless. */
final class JsonReport {

    private JsonReport() {}

    static Map<String, Object> of(ThreadDumps dumps, Map<String, String> notLookedAt) {
        Map<String, Object> json = Document.DUMPS.begin();
        json.put("dumps", dumps.dumps().stream().map(JsonReport::of).toList());
        json.put("threadsPerDump", dumps.threadsPerDump());
        Map<String, Object> states = new LinkedHashMap<>();
        dumps.states().forEach((state, threads) -> states.put(state.name(), threads));
        json.put("states", states);
        json.put("groups", dumps.groups().stream().map(JsonReport::of).toList());
        json.put("locks", dumps.locks().stream().map(JsonReport::of).toList());
        if (dumps.dumps().size() > 1) {
            json.put("series", dumps.series().stream().map(JsonReport::of).toList());
        }
        json.put("deadlocks", dumps.deadlocks().stream().map(JsonReport::of).toList());
        if (!dumps.starvations().isEmpty()) {
            json.put("starvations", dumps.starvations());
        }
        json.put("problems", dumps.problems());
        json.put("notLookedAt", Document.notLookedAt(notLookedAt));
        return json;
    }

    private static Map<String, Object> of(ThreadDump dump) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("source", dump.source());
        json.put("threads", dump.threads().size());
        if (!dump.time().isEmpty()) {
            json.put("time", dump.time());
        }
        return json;
    }

    private static Map<String, Object> of(Series series) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("process", series.process());
        json.put("dumps", series.dumps().stream().map(ThreadDump::source).toList());
        json.put("threads", series.threads());
        json.put("idle", series.idle());
        json.put("moved", series.moved());
        json.put(
                "standing",
                series.standing().stream()
                        .map(each -> Map.of(
                                "doing", Document.word(each.doing()), "place", each.place(), "names", each.names()))
                        .toList());
        return json;
    }

    private static Map<String, Object> of(Group group) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("threads", group.threads());
        json.put("doing", Document.word(group.doing()));
        json.put("place", group.place());
        return json;
    }

    private static Map<String, Object> of(LockQueue queue) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("waiters", queue.waiters());
        json.put("lock", queue.lock());
        json.put("type", queue.type());
        json.put("place", queue.place());
        queue.owner().ifPresent(owner -> {
            json.put("holder", owner.name());
            json.put("holderPlace", owner.place());
            if (!owner.stack().isEmpty()) {
                json.put("holderTop", owner.stack().get(0).toString());
            }
        });
        return json;
    }

    private static List<Map<String, Object>> of(List<DumpedThread> circle) {
        return circle.stream()
                .map(thread -> {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("thread", thread.name());
                    json.put("place", thread.place());
                    json.put(
                            "wants",
                            thread.waitsFor().map(DumpedThread.Lock::identity).orElse(""));
                    return json;
                })
                .toList();
    }
}
