package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.EventField.Form;
import java.util.ArrayList;
import java.util.List;

/** Lists the fields of an event, of which the first is the pool. Not thread-safe. */
final class EventFields {

    /** A timespan of events that tell of a window: the monitor writes them when it has evaluated the window. */
    static final String LATE = "late";

    static final String LATE_MEANS = "How long before this event the window ended";

    private final List<EventField> all = new ArrayList<>();

    EventFields() {
        text("pool", "Pool", "Name of the pool");
    }

    List<EventField> all() {
        return List.copyOf(all);
    }

    EventFields text(String name, String label, String description) {
        return add(name, label, description, Form.TEXT);
    }

    EventFields flag(String name, String label, String description) {
        return add(name, label, description, Form.FLAG);
    }

    EventFields count(String name, String label, String description) {
        return add(name, label, description, Form.INT);
    }

    EventFields total(String name, String label, String description) {
        return add(name, label, description, Form.LONG);
    }

    EventFields number(String name, String label, String description) {
        return add(name, label, description, Form.DOUBLE);
    }

    EventFields timespan(String name, String label, String description) {
        return add(name, label, description, Form.TIMESPAN);
    }

    private EventFields add(String name, String label, String description, Form form) {
        all.add(new EventField(name, label, description, form));
        return this;
    }
}
