package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.FindingJson;
import io.lifeguard.pool.schema.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the JSON of what is known of another JVM: the part {@code watch} of the schema. Stateless. */
public final class WatchJson {

    private WatchJson() {}

    /** {@return one JSON object without line breaks} */
    public static String of(Watch watch, Instant now) {
        return Json.line(map(watch, now));
    }

    /** {@return the same of a process that could not be looked at} */
    public static String notLooked(long pid, String why, Instant now) {
        Map<String, Object> json = Document.WATCH.begin();
        json.put("time", now.toString());
        json.put("pid", pid);
        json.put("pools", List.of());
        json.put("notLookedAt", List.of(Document.notLookedAt("process " + pid, why)));
        return Json.line(json);
    }

    /** {@return the same as a map} */
    public static Map<String, Object> map(Watch watch, Instant now) {
        Map<String, Object> json = Document.WATCH.begin();
        json.put("time", now.toString());
        json.put("pid", watch.target().pid());
        List<PoolView> pools = watch.pools();
        Optional<ProcessWindow> process = pools.stream()
                .flatMap(pool -> pool.window().stream())
                .map(PoolWindow::process)
                .findFirst();
        process.ifPresent(window -> {
            json.put("cpus", window.cores());
            window.cpu().ifPresent(cpu -> json.put("cpusUsed", cpu));
        });
        json.put("pools", pools.stream().map(WatchJson::of).toList());
        boolean isSilent = pools.stream().allMatch(pool -> pool.findings().isEmpty());
        json.put(
                "notLookedAt",
                (isSilent ? watch.obstacle() : watch.blindness())
                                .map(why -> Document.notLookedAt(
                                        "process " + watch.target().pid(), why))
                                .stream()
                                .toList());
        return json;
    }

    private static Map<String, Object> of(PoolView pool) {
        Map<String, Object> json = PoolJson.of(pool);
        json.put("findings", pool.findings().stream().map(WatchJson::of).toList());
        return json;
    }

    /** {@return a finding, with how certain it is} */
    public static Map<String, Object> of(Finding finding) {
        Certainty certainty = Certainty.of(finding);
        return FindingJson.of(finding, certainty.level(), certainty.why());
    }
}
