package io.lifeguard.pool.report.drawing;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of a segment besides its state. Empty text stands for what is not known.
 *
 * @param place where a worker was
 * @param awaited what it waited for
 * @param holder who held that
 */
record Detail(String place, String awaited, String holder) {

    static final Detail NONE = new Detail("", "", "");

    Map<String, Object> columns() {
        Map<String, Object> columns = new LinkedHashMap<>();
        put("place", place, columns);
        put("awaited", awaited, columns);
        put("holder", holder, columns);
        return columns;
    }

    private static void put(String name, String value, Map<String, Object> to) {
        if (!value.isEmpty()) {
            to.put(name, value);
        }
    }
}
