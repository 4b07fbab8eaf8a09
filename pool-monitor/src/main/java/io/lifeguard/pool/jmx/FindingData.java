package io.lifeguard.pool.jmx;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.schema.FindingJson;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.jspecify.annotations.Nullable;

/**
 * A finding as JMX clients see it: the part {@code finding} of the published schema, with null for what is absent. The
 * evidence is text, because a composite has one type for each name. Immutable.
 */
public final class FindingData {

    private final Map<String, Object> json;

    private FindingData(Map<String, Object> json) {
        this.json = json;
    }

    static FindingData of(Finding finding) {
        return new FindingData(FindingJson.of(finding));
    }

    /**
     * For JMX, which makes one in the client's program.
     *
     * @param composite what the bean has sent, not null
     * @return the finding
     */
    public static FindingData from(CompositeData composite) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (String name : composite.getCompositeType().keySet()) {
            Object value = composite.get(name);
            if (value instanceof TabularData table) {
                Map<String, String> evidence = new LinkedHashMap<>();
                table.values().forEach(row -> {
                    CompositeData entry = (CompositeData) row;
                    evidence.put((String) entry.get("key"), (String) entry.get("value"));
                });
                json.put(name, evidence);
            } else if (value != null) {
                json.put(name, value);
            }
        }
        return new FindingData(json);
    }

    private String text(String name) {
        return String.valueOf(json.get(name));
    }

    private @Nullable Integer integer(String name) {
        return (Integer) json.get(name);
    }

    /** {@return which diagnosis} */
    public String getId() {
        return text("id");
    }

    /** {@return {@code info}, {@code warning} or {@code critical}} */
    public String getSeverity() {
        return text("severity");
    }

    /** {@return the pool's name} */
    public String getPool() {
        return text("pool");
    }

    /** {@return when it was first seen, ISO 8601} */
    public String getSince() {
        return text("since");
    }

    /** {@return the cause with its decisive numbers} */
    public String getSummary() {
        return text("summary");
    }

    /** {@return what to do} */
    public String getAdvice() {
        return text("advice");
    }

    /** {@return {@code measured}} */
    public String getCertainty() {
        return text("certainty");
    }

    /** {@return what it rests on} */
    public String getCertaintyWhy() {
        return text("certaintyWhy");
    }

    /** {@return the line of code where the cause is seen; null when it names none} */
    public @Nullable String getPlace() {
        return (String) json.get("place");
    }

    /** {@return by which factor throughput would grow; null when it is unknown} */
    public @Nullable Double getGain() {
        return (Double) json.get("gain");
    }

    /** {@return how many workers the pool should have; null when the advice is no size} */
    public @Nullable Integer getRecommendedSize() {
        return integer("recommendedSize");
    }

    /** {@return the smallest size that is as good; null when it is unknown} */
    public @Nullable Integer getSizeLow() {
        return integer("sizeLow");
    }

    /** {@return the largest such size; null when it is unknown} */
    public @Nullable Integer getSizeHigh() {
        return integer("sizeHigh");
    }

    /** {@return the evidence as text, by name} */
    public Map<String, String> getEvidence() {
        Map<String, String> text = new LinkedHashMap<>();
        if (json.get("evidence") instanceof Map<?, ?> evidence) {
            evidence.forEach((name, value) -> text.put(String.valueOf(name), String.valueOf(value)));
        }
        return text;
    }

    /** The same as a notification carries it. */
    CompositeData composite() {
        try {
            return Layout.of(this);
        } catch (OpenDataException e) {
            throw new IllegalStateException("the layout of a finding is wrong", e);
        }
    }

    /** The layout that the platform derives from the getters above, for values outside of attributes. */
    private static final class Layout {
        private static final String[] NAMES = {
            "id",
            "severity",
            "pool",
            "since",
            "summary",
            "advice",
            "certainty",
            "certaintyWhy",
            "place",
            "gain",
            "recommendedSize",
            "sizeLow",
            "sizeHigh",
            "evidence"
        };

        static CompositeData of(FindingData finding) throws OpenDataException {
            String[] pair = {"key", "value"};
            CompositeType row = new CompositeType(
                    "evidence", "one fact", pair, pair, new OpenType<?>[] {SimpleType.STRING, SimpleType.STRING});
            TabularType table = new TabularType("evidence", "the evidence by name", row, new String[] {"key"});
            OpenType<?>[] types = new OpenType<?>[NAMES.length];
            Object[] values = new Object[NAMES.length];
            for (int i = 0; i < NAMES.length; i++) {
                types[i] = switch (NAMES[i]) {
                    case "gain" -> SimpleType.DOUBLE;
                    case "recommendedSize", "sizeLow", "sizeHigh" -> SimpleType.INTEGER;
                    case "evidence" -> table;
                    default -> SimpleType.STRING;
                };
                values[i] = finding.json.get(NAMES[i]);
            }
            TabularDataSupport evidence = new TabularDataSupport(table);
            for (Map.Entry<String, String> entry : finding.getEvidence().entrySet()) {
                evidence.put(new CompositeDataSupport(row, pair, new Object[] {entry.getKey(), entry.getValue()}));
            }
            values[NAMES.length - 1] = evidence;
            CompositeType type = new CompositeType("finding", "a finding of Lifeguard", NAMES, NAMES, types);
            return new CompositeDataSupport(type, NAMES, values);
        }
    }
}
