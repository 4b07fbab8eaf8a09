package io.lifeguard.pool.recording;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as the black box stores it: a size, the number of its type, its begin, its length, and its fields.
 *
 * @param type its type
 * @param startNanos when it began, in nanoseconds since 1970
 * @param durationNanos how long it lasted; 0 for a moment
 * @param values its fields by name
 */
record StoredEvent(EventType type, long startNanos, long durationNanos, Map<String, Object> values)
        implements EventRow {

    /**
     * Reads the next event.
     *
     * @param baseNanos where the ticks of begins are counted from
     * @param fromNanos events that ended before this moment are skipped
     * @return the event; null for one that was skipped
     */
    static @Nullable StoredEvent read(ByteReader in, long baseNanos, long fromNanos) {
        int position = in.position();
        int size = Math.toIntExact(in.compressed());
        EventType type = ChunkFormat.type(in.compressed());
        long start = baseNanos + in.compressed();
        long duration = in.compressed();
        if (start + duration < fromNanos) {
            in.moveTo(position + size);
            return null;
        }
        Map<String, Object> values = new HashMap<>();
        for (EventField field : type.fields()) {
            values.put(
                    field.name(),
                    switch (field.form()) {
                        case TEXT -> in.text();
                        case FLAG -> in.flag();
                        case INT -> (long) (int) in.compressed();
                        case LONG, TIMESPAN -> in.compressed();
                        case DOUBLE -> in.real();
                    });
        }
        return new StoredEvent(type, start, duration, values);
    }

    @Override
    public String text(String field) {
        return (String) value(field);
    }

    @Override
    public boolean flag(String field) {
        return (Boolean) value(field);
    }

    @Override
    public long number(String field) {
        return (Long) value(field);
    }

    @Override
    public double real(String field) {
        return (Double) value(field);
    }

    /** Events that are read have an empty text where a type has no such field. */
    private Object value(String field) {
        return values.getOrDefault(field, "");
    }
}
