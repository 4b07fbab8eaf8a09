package io.lifeguard.pool.mcp;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.JsonValues;
import io.lifeguard.pool.tools.watch.PoolJson;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.WatchJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the answers about looks. Their pools and findings follow the published schema. Stateless. */
final class LookJson {

    private static final String EVIDENCE = "evidence";

    /** See {@code docs/watch.md}. */
    private static final String NEEDS_LIBRARY =
            "these causes, which need Lifeguard within the program: queue-growing, stuck-task, failures-unseen,"
                    + " schedule-late, event-loop-full, oversized, max-size-unreachable, no-worker-alive,"
                    + " tasks-discarded";

    private LookJson() {}

    /** {@return what was seen} The evidence is left to {@code explain_finding}. */
    static Map<String, Object> of(Look look) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("look", look.name());
        json.put("verdict", verdict(look));
        json.put("time", look.time().toString());
        json.put("lengthSeconds", JsonValues.seconds(look.length()));
        json.put("pid", look.pid());
        json.put("program", look.program());
        json.put("findings", look.findings().stream().map(LookJson::shortForm).toList());
        json.put(
                "pools",
                look.pools().stream().sorted(sickestFirst()).map(LookJson::pool).toList());
        json.put("cannotBeKnown", unknown(look.pools()));
        json.put(
                "notLookedAt",
                look.obstacle().stream()
                        .map(why -> Document.notLookedAt("process " + look.pid(), why))
                        .toList());
        return json;
    }

    private static String verdict(Look look) {
        if (!look.findings().isEmpty()) {
            return "found";
        }
        return look.obstacle().isPresent() ? "not known: too little was seen" : "nothing found";
    }

    private static Map<String, Object> shortForm(Finding finding) {
        Map<String, Object> json = WatchJson.of(finding);
        json.remove(EVIDENCE);
        return json;
    }

    /** {@return a finding with its evidence} Frames of the JDK at the top of stacks tell nothing that is not said. */
    static Map<String, Object> longForm(Finding finding) {
        Map<String, Object> json = WatchJson.of(finding);
        Map<String, Object> evidence = JsonValues.evidence(finding);
        evidence.replaceAll((name, value) -> value instanceof List<?> frames ? withoutJdk(frames) : value);
        json.put(EVIDENCE, evidence);
        return json;
    }

    private static List<?> withoutJdk(List<?> frames) {
        return frames.stream()
                .filter(frame -> !(frame instanceof String text && text.matches("(java|jdk)[./].*")))
                .toList();
    }

    /**
     * {@return which of the questions that every finding is asked this one does not answer, and why}
     *
     * @param finding as JSON
     */
    static Map<String, Object> openQuestions(Finding finding) {
        Map<String, Object> json = WatchJson.of(finding);
        Map<String, Object> open = new LinkedHashMap<>();
        if (!json.containsKey("place")) {
            open.put("place", "the finding is not about one line, or no stack was seen there");
        }
        if (!json.containsKey("gain")) {
            open.put("gain", "nobody outside counts tasks, so throughput is not known");
        }
        if (!json.containsKey("recommendedSize") && !json.containsKey(Finding.SIZE_LOW)) {
            open.put(
                    "recommendedSize",
                    finding.evidence().getOrDefault("noSizeBecause", "a size is not what the advice is about"));
        }
        return open;
    }

    private static Comparator<PoolView> sickestFirst() {
        return Comparator.comparing((PoolView pool) -> pool.findings().isEmpty())
                .thenComparing(PoolView::workers, Comparator.reverseOrder());
    }

    /** What no thread does is left out. */
    private static Map<String, Object> pool(PoolView pool) {
        Map<String, Object> json = PoolJson.of(pool);
        json.remove("unknown");
        if (json.get("window") instanceof Map<?, ?> window && window.get("doing") instanceof Map<?, ?> doing) {
            doing.values().removeIf(threads -> threads instanceof Number number && number.doubleValue() == 0);
        }
        json.put("findingIds", pool.findings().stream().map(Finding::id).toList());
        return json;
    }

    /** What rules lacked, each with the pools for which they did. */
    private static List<String> unknown(List<PoolView> pools) {
        Map<String, List<String>> byReason = new TreeMap<>();
        for (PoolView pool : pools) {
            for (String missing : pool.missing()) {
                byReason.computeIfAbsent(missing, key -> new ArrayList<>()).add(pool.name());
            }
        }
        long judged = pools.stream().filter(pool -> pool.kind().isJudged()).count();
        List<String> unknown = new ArrayList<>(List.of(NEEDS_LIBRARY));
        byReason.entrySet().stream()
                .map(entry -> entry.getValue().size() >= judged
                        ? entry.getKey()
                        : entry.getKey() + " (of pools " + String.join(", ", entry.getValue()) + ")")
                .forEach(unknown::add);
        return unknown;
    }

    /** {@return what changed from one look to the next} Only looks at the same process can be compared. */
    static Map<String, Object> comparison(Look first, Look second) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("first", first.name());
        json.put("second", second.name());
        if (first.pid() != second.pid()) {
            json.put(
                    "caution",
                    "these are looks at two processes, " + first.pid() + " and " + second.pid()
                            + "; pools of one name are taken for the same");
        }
        List<String> before = keys(first);
        List<String> after = keys(second);
        json.put("gone", before.stream().filter(key -> !after.contains(key)).toList());
        json.put("new", after.stream().filter(key -> !before.contains(key)).toList());
        json.put("still", after.stream().filter(before::contains).toList());
        json.put("pools", changes(first, second));
        if (second.findings().isEmpty()) {
            second.obstacle()
                    .ifPresent(why -> json.put("caution", "that nothing is found any longer may be chance: " + why));
        }
        json.put(
                "cannotBeKnown",
                List.of(
                        "whether more tasks are done now: nobody outside counts them",
                        "whether the load was the same"));
        return json;
    }

    private static List<String> keys(Look look) {
        return look.findings().stream()
                .map(finding -> finding.id() + " of pool " + finding.pool())
                .toList();
    }

    private static List<Map<String, Object>> changes(Look first, Look second) {
        List<Map<String, Object>> changes = new ArrayList<>();
        for (PoolView after : second.pools()) {
            first.pools().stream()
                    .filter(before -> before.name().equals(after.name()))
                    .findFirst()
                    .ifPresent(before -> changes.add(change(before, after)));
        }
        return changes;
    }

    private static Map<String, Object> change(PoolView before, PoolView after) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", after.name());
        json.put("threads", List.of(before.workers(), after.workers()));
        Map<String, Object> doing = new LinkedHashMap<>();
        for (Doing each : Doing.values()) {
            double then = before.threads(each).orElse(0);
            double now = after.threads(each).orElse(0);
            if (then > 0 || now > 0) {
                doing.put(Document.word(each), List.of(round(then), round(now)));
            }
        }
        json.put("doing", doing);
        return json;
    }

    private static double round(double threads) {
        return Math.round(threads * 10) / 10.0;
    }
}
