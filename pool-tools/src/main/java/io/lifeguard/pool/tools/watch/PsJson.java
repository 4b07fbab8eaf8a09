package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.schema.Document;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what a quick look at each JVM has shown: the part {@code ps} of the schema. Not thread-safe. */
public final class PsJson {

    private final List<Map<String, Object>> jvms = new ArrayList<>();
    private final Map<String, String> notLookedAt = new LinkedHashMap<>();

    /** Begins with no JVM. */
    public PsJson() {}

    /** Adds a JVM. Of one that could not be looked at, no more than its name is known. */
    public void add(JvmLooks.Looked looked) {
        JvmList.Jvm jvm = looked.jvm();
        String process = "process " + jvm.pid();
        JvmList.Summary summary = looked.summary().orElse(null);
        if (summary != null) {
            add(jvm, summary);
            // a suspicion is news enough, and has exit code 1
            summary.skipped().filter(why -> summary.suspicion().isEmpty()).ifPresent(why -> cannotLook(process, why));
        } else if (ProcessHandle.of(jvm.pid()).isPresent()) { // one that has just ended is no failure
            jvms.add(begin(jvm));
            cannotLook(process, looked.why());
        }
    }

    private void add(JvmList.Jvm jvm, JvmList.Summary summary) {
        Map<String, Object> json = begin(jvm);
        json.put("pools", summary.pools());
        json.put("threads", summary.threads());
        summary.suspicion().ifPresent(suspicion -> json.put("suspicion", suspicion(suspicion)));
        summary.carriers().ifPresent(carriers -> json.put("carriers", carriers(carriers)));
        jvms.add(json);
    }

    /** Notes what could not be looked at. */
    public void cannotLook(String what, String why) {
        notLookedAt.put(what, why);
    }

    /** {@return whether something could not be looked at} */
    public boolean isIncomplete() {
        return !notLookedAt.isEmpty();
    }

    private static Map<String, Object> begin(JvmList.Jvm jvm) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pid", jvm.pid());
        json.put("name", jvm.name());
        return json;
    }

    private static Map<String, Object> carriers(Carriers carriers) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("running", carriers.running());
        carriers.all().ifPresent(all -> json.put("all", all));
        carriers.queued().ifPresent(queued -> json.put("queued", queued));
        return json;
    }

    /** {@return a suspicion} */
    public static Map<String, Object> suspicion(JvmList.Suspicion suspicion) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool", suspicion.pool());
        json.put("threads", suspicion.threads());
        json.put("doing", Document.word(suspicion.doing()));
        if (!suspicion.waitsFor().isEmpty()) {
            json.put("waitsFor", suspicion.waitsFor());
        }
        json.put("place", suspicion.place());
        return json;
    }

    /** {@return the document, with those JVMs first that have the largest suspicious groups} */
    public Map<String, Object> sickestFirst() {
        jvms.sort(Comparator.comparingInt(PsJson::suspiciousThreads).reversed());
        return map();
    }

    private static int suspiciousThreads(Map<String, Object> jvm) {
        return jvm.get("suspicion") instanceof Map<?, ?> suspicion
                        && suspicion.get("threads") instanceof Integer threads
                ? threads
                : 0;
    }

    /** {@return the document, as of now} */
    public Map<String, Object> map() {
        Map<String, Object> json = Document.PS.begin();
        json.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        json.put("jvms", List.copyOf(jvms));
        json.put("notLookedAt", Document.notLookedAt(notLookedAt));
        return json;
    }
}
