package io.lifeguard.pool.mcp;

import io.lifeguard.pool.schema.Json;
import io.lifeguard.pool.text.LogText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the text of an answer: JSON of at most {@value #MOST_BYTES} bytes. Stateless.
 *
 * <p>Texts come from programs that nobody here knows. So each is one JSON string without control characters, without
 * characters that change the direction of writing, and of limited length. What is too long for an answer loses the ends
 * of its lists and of its texts, and then says so in the field {@code shortened}. Lists have what is most important
 * first.
 */
final class Answer {

    static final int MOST_BYTES = 6 * 1024;

    /** Of a look, and of an explanation: both together are one answer. */
    static final int HALF = MOST_BYTES / 2;

    /** Of a list, and of a text. Each answer is made within the first pair that is short enough. */
    private static final int[][] LIMITS = {
        {20, 700}, {10, 700}, {6, 600}, {4, 600}, {3, 500}, {2, 400}, {1, 400}, {1, 250}, {1, 150}, {1, 60}
    };

    private static final String SHORTENED = "shortened";

    private Answer() {}

    /** {@return the JSON} */
    static String text(Map<String, Object> json) {
        return text(json, MOST_BYTES);
    }

    /** {@return the JSON, in at most so many bytes} */
    static String text(Map<String, Object> json, int mostBytes) {
        String text = "";
        for (int[] limit : LIMITS) {
            Cut cut = new Cut(limit[0], limit[1]);
            Map<String, Object> bounded = cut.map(json);
            if (cut.hasCut) {
                bounded.put(
                        SHORTENED,
                        "at most " + limit[0] + " items of a list and " + limit[1] + " characters of a text");
            }
            text = Json.line(bounded); // in ASCII, so its length is its number of bytes
            if (text.length() <= mostBytes) {
                return text;
            }
        }
        return Json.line(Map.of("refused", "the answer has more than " + mostBytes + " bytes even when shortened"));
    }

    /** Copies JSON within limits. Used once. */
    private static final class Cut {
        private final int mostItems;
        private final int mostCharacters;
        private boolean hasCut;

        Cut(int mostItems, int mostCharacters) {
            this.mostItems = mostItems;
            this.mostCharacters = mostCharacters;
        }

        Map<String, Object> map(Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((name, value) -> copy.put(LogText.shortened((String) name), value(value)));
            return copy;
        }

        private Object value(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map(map);
            } else if (value instanceof Iterable<?> all) {
                List<Object> copy = new ArrayList<>();
                for (Object each : all) {
                    if (copy.size() == mostItems) {
                        hasCut = true;
                        break;
                    }
                    copy.add(value(each));
                }
                return copy;
            }
            return value instanceof String text ? text(text) : value;
        }

        private String text(String text) {
            boolean isLong = text.length() > mostCharacters;
            hasCut |= isLong;
            return LogText.clean(isLong ? text.substring(0, mostCharacters) + "..." : text);
        }
    }
}
