package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.schema.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The data of a page: its recordings as columns of numbers, in JSON. Immutable. */
final class PageData {

    /** The version of the format, which the page must know. */
    static final int VERSION = 1;

    /** More changes of what workers did than this make a page of more than 5 MB. */
    static final int MOST_SEGMENTS = 4_000_000;

    private final String title;
    private final List<Part> parts;

    PageData(String title, List<Part> parts) {
        this.title = title;
        this.parts = parts;
    }

    String json() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("version", VERSION);
        data.put("title", title);
        data.put(
                "recordings",
                parts.stream()
                        .map(part -> RecordingColumns.of(part, MOST_SEGMENTS / parts.size()))
                        .toList());
        return Json.forPage(data);
    }
}
