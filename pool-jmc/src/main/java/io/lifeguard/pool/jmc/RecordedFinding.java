package io.lifeguard.pool.jmc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmc.common.item.Attribute;
import org.openjdk.jmc.common.item.IAttribute;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.ItemFilters;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.QuantityConversionException;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/**
 * One finding of one pool, as all its events in a recording tell it. Immutable.
 *
 * @param pool the pool's name
 * @param id which diagnosis
 * @param severity the name of its highest severity
 * @param summary the cause, by the latest event
 * @param advice what to do, by the latest event
 * @param evidence the numbers, one per line
 * @param stack the decisive stack, one frame per line; empty when there is none
 * @param begin when it was first recorded
 * @param end when it was over; null when it still stood at the recording's end
 */
record RecordedFinding(
        String pool,
        String id,
        String severity,
        String summary,
        String advice,
        String evidence,
        String stack,
        Instant begin,
        @Nullable Instant end) {

    static final String EVENT = "io.lifeguard.Finding";
    static final String WINDOW_EVENT = "io.lifeguard.Window";

    static final IAttribute<String> POOL = text("pool", "Pool");
    static final IAttribute<String> ID = text("id", "Id");
    static final IAttribute<String> SEVERITY = text("severity", "Severity");
    static final IAttribute<String> SUMMARY = text("summary", "Summary");
    private static final IAttribute<String> CHANGE = text("change", "Change");
    private static final IAttribute<String> ADVICE = text("advice", "Advice");
    private static final IAttribute<String> EVIDENCE = text("evidence", "Evidence");
    private static final IAttribute<String> STACK = text("stack", "Stack");

    /** What is above a warning. A name that this version does not know counts as a warning. */
    private static final List<String> SEVERITIES = List.of("INFO", "WARNING", "CRITICAL");

    private static IAttribute<String> text(String field, String label) {
        return Attribute.attr(field, label, UnitLookup.PLAIN_TEXT);
    }

    /** {@return whether Lifeguard has recorded anything by which findings can be judged} */
    static boolean areRecorded(IItemCollection items) {
        return items.apply(ItemFilters.type(EVENT, WINDOW_EVENT)).hasItems();
    }

    /** {@return all findings in a recording, the most severe first} */
    static List<RecordedFinding> all(IItemCollection items) {
        Map<List<String>, RecordedFinding> all = new LinkedHashMap<>();
        items.apply(ItemFilters.type(EVENT)).stream()
                .flatMap(events -> events.stream())
                .sorted(Comparator.comparing(RecordedFinding::moment))
                .forEach(event ->
                        all.merge(List.of(get(event, POOL), get(event, ID)), of(event), RecordedFinding::then));
        List<RecordedFinding> sorted = new ArrayList<>(all.values());
        sorted.sort(Comparator.comparingInt(RecordedFinding::rank).reversed());
        return sorted;
    }

    private static RecordedFinding of(IItem event) {
        String change = get(event, CHANGE);
        boolean isOver = change.equals("RESOLVED") || change.equals("ENDED");
        return new RecordedFinding(
                get(event, POOL),
                get(event, ID),
                get(event, SEVERITY),
                get(event, SUMMARY),
                get(event, ADVICE),
                get(event, EVIDENCE),
                get(event, STACK),
                moment(event),
                isOver ? moment(event) : null);
    }

    private RecordedFinding then(RecordedFinding later) {
        return new RecordedFinding(
                pool,
                id,
                rank() > later.rank() ? severity : later.severity,
                later.summary,
                later.advice,
                later.evidence,
                later.stack.isEmpty() ? stack : later.stack,
                begin,
                later.end);
    }

    /** {@return 0 for an information, 1 for a warning, 2 for what is critical} */
    int rank() {
        int known = SEVERITIES.indexOf(severity);
        return known < 0 ? SEVERITIES.indexOf("WARNING") : known;
    }

    private static String get(IItem event, IAttribute<String> field) {
        String value = RulesToolkit.getValue(event, field);
        return value == null ? "" : value;
    }

    private static Instant moment(IItem event) {
        IQuantity start = RulesToolkit.getStartTime(event);
        try {
            long nanos = start == null ? 0 : start.longValueIn(UnitLookup.EPOCH_NS);
            return Instant.EPOCH.plusNanos(nanos);
        } catch (QuantityConversionException e) {
            throw new IllegalArgumentException("an event has no moment in this era: " + start, e);
        }
    }
}
