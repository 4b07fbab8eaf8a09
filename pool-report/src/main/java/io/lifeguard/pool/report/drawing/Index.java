package io.lifeguard.pool.report.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers values in the order in which they first appear, from 0 on. Not thread-safe.
 *
 * @param <T> the type of the values
 */
final class Index<T> {

    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int of(T value) {
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        numbers.put(value, values.size());
        values.add(value);
        return values.size() - 1;
    }

    List<T> values() {
        return values;
    }
}
