package io.lifeguard.pool.schema;

import io.lifeguard.pool.diagnosis.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the JSON of findings, as maps: the part {@code finding} of the schema. Stateless.
 *
 * <p>Rules name their evidence as it suits the cause. What programs ask of every finding is repeated under one name
 * each: {@code place}, {@code gain}, {@code recommendedSize}, {@code sizeLow}, {@code sizeHigh}.
 */
public final class FindingJson {

    /** How certain a finding is that was made within the program. */
    private static final String MEASURED = "measured";

    private static final String MEASURED_WHY = "measured in the program itself; doubts are in the evidence";

    private FindingJson() {}

    /** {@return a finding that was made in its own program} */
    public static Map<String, Object> of(Finding finding) {
        return of(finding, MEASURED, MEASURED_WHY);
    }

    public static List<Map<String, Object>> of(List<Finding> findings) {
        return findings.stream().map(FindingJson::of).toList();
    }

    /**
     * {@return a finding}
     *
     * @param certainty {@code certain}, {@code estimate}, {@code guess} or {@code measured}
     * @param why one clause: what it rests on, and what is unknown, not null
     */
    public static Map<String, Object> of(Finding finding, String certainty, String why) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", finding.id());
        json.put("severity", Document.word(finding.severity()));
        json.put("pool", finding.pool());
        json.put("since", finding.since().toString()); // ISO 8601
        json.put("summary", finding.summary());
        json.put("advice", finding.advice());
        json.put("certainty", certainty);
        json.put("certaintyWhy", why);
        finding.place().ifPresent(place -> json.put("place", place));
        finding.gain().ifPresent(gain -> json.put("gain", gain));
        finding.recommendedSize().ifPresent(size -> json.put("recommendedSize", size));
        finding.sizeLow().ifPresent(size -> json.put(Finding.SIZE_LOW, size));
        finding.sizeHigh().ifPresent(size -> json.put(Finding.SIZE_HIGH, size));
        json.put("evidence", JsonValues.evidence(finding));
        return json;
    }
}
