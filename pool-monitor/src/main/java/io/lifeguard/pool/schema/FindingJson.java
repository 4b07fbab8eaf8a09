package io.lifeguard.pool.schema;

import io.lifeguard.pool.diagnosis.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private static final List<String> GAINS = List.of("gain", "gainWithoutLock");

    private FindingJson() {}

    /** {@return a finding that was made in its own program} */
    public static Map<String, Object> of(Finding finding) {
        return of(finding, MEASURED, MEASURED_WHY);
    }

    /**
     * {@return all of them, in their order}
     *
     * @param findings made in their own program, not null
     */
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
        place(finding).ifPresent(place -> json.put("place", place));
        gain(finding).ifPresent(gain -> json.put("gain", gain));
        finding.recommendedSize().ifPresent(size -> json.put("recommendedSize", size));
        putInteger(json, Finding.SIZE_LOW, finding);
        putInteger(json, Finding.SIZE_HIGH, finding);
        json.put("evidence", JsonValues.evidence(finding));
        return json;
    }

    private static void putInteger(Map<String, Object> json, String name, Finding finding) {
        if (finding.evidence().get(name) instanceof Integer number) {
            json.put(name, number);
        }
    }

    /**
     * {@return the line of code where the cause is seen, for instance {@code com.example.Orders.load(Orders.java:42)};
     * empty when the finding names none}
     */
    public static Optional<String> place(Finding finding) {
        return finding.evidence().get("place") instanceof String place && !place.isEmpty()
                ? Optional.of(place)
                : Optional.empty();
    }

    /** By which factor throughput is expected to grow; empty when the finding does not say. */
    private static Optional<Double> gain(Finding finding) {
        return GAINS.stream()
                .map(finding.evidence()::get)
                .filter(Number.class::isInstance)
                .map(value -> ((Number) value).doubleValue())
                .filter(gain -> Double.isFinite(gain) && gain > 0)
                .findFirst();
    }
}
