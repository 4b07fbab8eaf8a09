package io.lifeguard.pool.report.drawing;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of a segment besides its state. Empty text stands for what is unknown.
 *
 * @param holder who held that
 * @param stack number of its stack; 0 when none was taken
 */
record Detail(String place, String awaited, String holder, long stack) {

    static final Detail NONE = new Detail("", "", "", 0);

    Detail(String place, String awaited, String holder) {
        this(place, awaited, holder, 0);
    }

    /** {@return the columns} The stack is left to those who know which stacks there are. */
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
