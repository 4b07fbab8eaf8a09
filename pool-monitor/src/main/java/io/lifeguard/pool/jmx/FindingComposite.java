package io.lifeguard.pool.jmx;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.schema.FindingJson;
import java.util.Collection;
import java.util.Map;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.jspecify.annotations.Nullable;

/**
 * A finding as JMX clients see it: the part {@code finding} of the published schema, with null for what is absent. The
 * evidence is text, because a composite has one type for each name. Stateless.
 */
final class FindingComposite {

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

    private static final String[] ROW = {"key", "value"};

    private FindingComposite() {}

    static CompositeData of(Finding finding) {
        Map<String, Object> json = FindingJson.of(finding);
        Object[] values = new Object[NAMES.length];
        for (int i = 0; i < NAMES.length; i++) {
            values[i] = NAMES[i].equals("evidence") ? evidence(json.get(NAMES[i])) : json.get(NAMES[i]);
        }
        try {
            return new CompositeDataSupport(Types.FINDING, NAMES, values);
        } catch (OpenDataException e) {
            throw new IllegalStateException("a finding does not have the layout of findings", e);
        }
    }

    /** {@return several findings, in their order} */
    static CompositeData[] of(Collection<Finding> findings) {
        return findings.stream().map(FindingComposite::of).toArray(CompositeData[]::new);
    }

    /** {@return the type of several findings} */
    static OpenType<?> arrayType() {
        return Types.FINDINGS;
    }

    private static TabularDataSupport evidence(@Nullable Object evidence) {
        TabularDataSupport table = new TabularDataSupport(Types.EVIDENCE);
        if (evidence instanceof Map<?, ?> map) {
            map.forEach((name, value) -> table.put(row(String.valueOf(name), String.valueOf(value))));
        }
        return table;
    }

    private static CompositeData row(String name, String value) {
        try {
            return new CompositeDataSupport(Types.EVIDENCE.getRowType(), ROW, new Object[] {name, value});
        } catch (OpenDataException e) {
            throw new IllegalStateException("evidence is two texts", e);
        }
    }

    /** Made with the first bean. */
    private static final class Types {
        static final TabularType EVIDENCE;
        static final CompositeType FINDING;
        static final OpenType<?> FINDINGS;

        static {
            try {
                OpenType<?>[] texts = {SimpleType.STRING, SimpleType.STRING};
                CompositeType row = new CompositeType("evidence", "one fact", ROW, ROW, texts);
                EVIDENCE = new TabularType("evidence", "the evidence by name", row, new String[] {"key"});
                OpenType<?>[] types = new OpenType<?>[NAMES.length];
                for (int i = 0; i < NAMES.length; i++) {
                    types[i] = switch (NAMES[i]) {
                        case "gain" -> SimpleType.DOUBLE;
                        case "recommendedSize", "sizeLow", "sizeHigh" -> SimpleType.INTEGER;
                        case "evidence" -> EVIDENCE;
                        default -> SimpleType.STRING;
                    };
                }
                FINDING = new CompositeType("finding", "a finding of Lifeguard", NAMES, NAMES, types);
                FINDINGS = new ArrayType<CompositeData[]>(1, FINDING);
            } catch (OpenDataException e) {
                throw new IllegalStateException("the layout of a finding is wrong", e);
            }
        }
    }
}
