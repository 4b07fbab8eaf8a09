package io.lifeguard.pool.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a dashboard depends on: everything of a meter except its values. */
record Shape(String name, Meter.Type type, String unit, Set<String> tags) {

    static Shape of(Meter meter) {
        Meter.Id id = meter.getId();
        return new Shape(
                id.getName(),
                id.getType(),
                String.valueOf(id.getBaseUnit()),
                id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new)));
    }

    static Set<Shape> in(MeterRegistry registry, Predicate<Meter.Id> which) {
        return registry.getMeters().stream()
                .filter(meter -> which.test(meter.getId()))
                .map(Shape::of)
                .collect(Collectors.toSet());
    }
}
