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
        Map<String, Object> json =
                members("source", dump.source(), "threads", dump.threads().size());
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
        return members("threads", group.threads(), "doing", Document.word(group.doing()), "place", group.place());
    }

    /** Returns names and values in their order. */
    private static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return members;
    }

    private static Map<String, Object> of(LockQueue queue) {
        Map<String, Object> json =
                members("waiters", queue.waiters(), "lock", queue.lock(), "type", queue.type(), "place", queue.place());
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
                .map(thread -> members(
                        "thread",
                        thread.name(),
                        "place",
                        thread.place(),
                        "wants",
                        thread.waitsFor().map(DumpedThread.Lock::identity).orElse("")))
                .toList();
    }
}
