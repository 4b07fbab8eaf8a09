package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.EventField.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lists the fields of an event that are taken from an observation, or from a part of it. Not thread-safe.
 *
 * @param <T> the observation, or the part
 */
final class EventFields<T> {

    private final List<EventField> all;
    private final Function<Observation, Object> owner; // of the values

    private EventFields(List<EventField> all, Function<Observation, Object> owner) {
        this.all = all;
        this.owner = owner;
    }

    /** {@return the fields of one type of event, of which the first is the pool} */
    static <T extends Observation> EventFields<T> begin() {
        return new EventFields<T>(new ArrayList<>(), all -> all).text("pool", "Pool", "Name of the pool", T::pool);
    }

    /** {@return a list that adds to this one the fields of a part, which may be an {@code Optional}} */
    <P> EventFields<P> part(Function<T, Object> part) {
        return new EventFields<>(all, all -> of(owner.apply(all), part));
    }

    /** {@return the fields listed so far} */
    List<EventField> all() {
        return List.copyOf(all);
    }

    EventFields<T> text(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.TEXT, value);
    }

    EventFields<T> flag(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.FLAG, value);
    }

    EventFields<T> count(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.INT, value);
    }

    EventFields<T> total(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.LONG, value);
    }

    EventFields<T> number(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.DOUBLE, value);
    }

    EventFields<T> timespan(String name, String label, String description, Function<T, Object> value) {
        return add(name, label, description, Form.TIMESPAN, value);
    }

    private EventFields<T> add(String name, String label, String description, Form form, Function<T, Object> value) {
        all.add(new EventField(name, label, description, form, all -> of(owner.apply(all), value)));
        return this;
    }

    @SuppressWarnings("unchecked") // EventType.of() finds the type by the class of the observation
    private static <T> Object of(Object owner, Function<T, Object> value) {
        return owner instanceof Optional<?> maybe ? maybe.map(known -> value.apply((T) known)) : value.apply((T) owner);
    }
}
