package io.lifeguard.pool.jfr;

import io.lifeguard.pool.recording.EventField;
import io.lifeguard.pool.recording.EventField.Form;
import io.lifeguard.pool.recording.EventType;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.EventFactory;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;

/** Makes the flight recorder's types of events from the table of types. Stateless. */
final class EventFactories {

    /** At most so many long tasks a second are recorded on JDKs that can limit it. */
    private static final String MOST_TASKS = "1000/s";

    private EventFactories() {}

    /** {@return a factory of registered events} */
    static EventFactory of(EventType type) {
        List<AnnotationElement> annotations = new ArrayList<>(List.of(
                new AnnotationElement(Name.class, type.eventName()),
                new AnnotationElement(Label.class, type.label()),
                new AnnotationElement(Description.class, type.description()),
                new AnnotationElement(Category.class, new String[] {EventType.CATEGORY}),
                new AnnotationElement(StackTrace.class, false)));
        if (type == EventType.TASK) {
            annotations.add(new AnnotationElement(Threshold.class, TaskThreshold.USUAL));
            throttle().ifPresent(throttle -> annotations.add(new AnnotationElement(throttle, MOST_TASKS)));
        }
        return EventFactory.create(
                annotations,
                type.fields().stream().map(EventFactories::descriptor).toList());
    }

    /** The annotation that limits the rate of events. It exists since JDK 25. */
    private static Optional<Class<? extends Annotation>> throttle() {
        try {
            return Optional.of(Class.forName("jdk.jfr.Throttle").asSubclass(Annotation.class));
        } catch (ClassNotFoundException ignored) { // an older JDK
            return Optional.empty();
        }
    }

    private static ValueDescriptor descriptor(EventField field) {
        List<AnnotationElement> annotations = new ArrayList<>(List.of(
                new AnnotationElement(Label.class, field.label()),
                new AnnotationElement(Description.class, field.description())));
        if (field.form() == Form.TIMESPAN) {
            annotations.add(new AnnotationElement(Timespan.class, Timespan.NANOSECONDS));
        }
        return new ValueDescriptor(type(field.form()), field.name(), annotations);
    }

    private static Class<?> type(Form form) {
        return switch (form) {
            case TEXT -> String.class;
            case FLAG -> boolean.class;
            case INT -> int.class;
            case LONG, TIMESPAN -> long.class;
            case DOUBLE -> double.class;
        };
    }
}
