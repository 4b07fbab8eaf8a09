package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.FindingJson;
import io.lifeguard.pool.schema.JsonValues;
import io.lifeguard.pool.tools.watch.Certainty;
import io.lifeguard.pool.tools.watch.PoolJson;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Collects what was found in recordings: the part {@code analyze} of the schema. Not thread-safe. */
public final class AnalysisJson {

    private final List<Map<String, Object>> recordings = new ArrayList<>();
    private final Map<String, String> notLookedAt = new LinkedHashMap<>();

    /** Begins with no recording. */
    public AnalysisJson() {}

    /** Adds a recording that was read. */
    public void add(Analysis analysis) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", analysis.file().toString());
        if (!analysis.pools().isEmpty()) {
            json.put("from", instant(analysis.recording().begin()).toString());
            json.put("lengthSeconds", JsonValues.seconds(analysis.recording().length()));
        }
        json.put(
                "pools",
                Stream.concat(
                                RecordedPools.json(analysis.own()).stream(),
                                analysis.pools().stream().map(PoolJson::of))
                        .toList());
        json.put("findings", findings(analysis));
        json.put(
                "unknown",
                analysis.pools().isEmpty() ? List.of() : analysis.recording().missing());
        recordings.add(json);
    }

    /** Notes what could not be looked at, or not in full. */
    public void cannotLook(Path file, String why) {
        notLookedAt.put(file.toString(), why);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    /** {@return what was found, in the order in which it was} */
    public static List<Map<String, Object>> findings(Analysis analysis) {
        List<Map<String, Object>> findings = new ArrayList<>();
        for (RecordedFinding told : analysis.replay().findings()) {
            Certainty certainty = Certainty.ofRecording(told.finding());
            findings.add(until(FindingJson.of(told.finding(), certainty.level(), certainty.why()), told.until()));
        }
        for (RecordedFinding recorded : analysis.recorded()) {
            findings.add(until(FindingJson.of(recorded.finding()), recorded.until()));
        }
        return findings;
    }

    private static Map<String, Object> until(Map<String, Object> finding, Optional<Instant> end) {
        end.ifPresent(over -> finding.put("until", over.toString()));
        return finding;
    }

    /** {@return the document} */
    public Map<String, Object> map() {
        Map<String, Object> json = Document.ANALYZE.begin();
        json.put("recordings", List.copyOf(recordings));
        json.put("notLookedAt", Document.notLookedAt(notLookedAt));
        return json;
    }
}
