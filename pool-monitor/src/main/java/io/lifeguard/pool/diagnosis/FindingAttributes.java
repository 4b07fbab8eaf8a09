package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.LogText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The attributes of the records of finding events. Their names are stable. Stateless. */
final class FindingAttributes {

    static final String EVENT_NAME = "lifeguard.finding";
    static final String EVENT_NAME_KEY = "event.name";
    static final String SUMMARY_KEY = "lifeguard.finding.summary";

    /**
     * Bytes in UTF-8 of the texts of a record that come from findings. The names of the attributes, the other values,
     * and what OTLP adds take up to 480 bytes, so a record has at most 1 KB.
     */
    static final int MOST_TEXT_BYTES = 520;

    private static final int LONGEST_ID = 64; // bytes; ids of the library have 23 at most
    private static final int LONGEST_POOL = 80; // bytes; most names of pools are shorter
    private static final int LONGEST_PLACE = 120; // bytes; a long class name, a method and a line
    private static final int LONGEST_WHY = 100; // bytes, as for a short sentence
    private static final String DOTS = "...";

    private FindingAttributes() {}

    static Map<String, Object> of(FindingEvent event) {
        Finding finding = event.finding();
        String id = start(finding.id(), LONGEST_ID);
        String pool = end(finding.pool(), LONGEST_POOL);
        String place = finding.place().map(text -> end(text, LONGEST_PLACE)).orElse("");
        String why = start(event.why(), LONGEST_WHY);
        int left = MOST_TEXT_BYTES - bytes(id) - bytes(pool) - bytes(place) - bytes(why);

        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(EVENT_NAME_KEY, EVENT_NAME);
        attributes.put("lifeguard.finding.change", word(event.kind()));
        attributes.put("lifeguard.finding.stands", event.stands());
        attributes.put("lifeguard.finding.id", id);
        attributes.put("lifeguard.finding.severity", word(finding.severity()));
        attributes.put("lifeguard.finding.since", finding.since().toString());
        attributes.put("lifeguard.pool.name", pool);
        if (!place.isEmpty()) {
            attributes.put("lifeguard.finding.place", place);
        }
        finding.recommendedSize().ifPresent(size -> attributes.put("lifeguard.pool.recommended_size", (long) size));
        if (!why.isEmpty()) {
            attributes.put("lifeguard.finding.why", why);
        }
        attributes.put(SUMMARY_KEY, start(finding.summary(), left));
        return attributes;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The beginning of a long sentence tells most. */
    private static String start(String text, int most) {
        String clean = LogText.clean(text);
        if (bytes(clean) <= most) {
            return clean;
        }
        int left = most - DOTS.length();
        int end = 0;
        while (bytes(clean.codePointAt(end)) <= left) {
            left -= bytes(clean.codePointAt(end));
            end += Character.charCount(clean.codePointAt(end));
        }
        return clean.substring(0, end) + DOTS;
    }

    /** The end of a long place tells most: method, file and line. */
    private static String end(String text, int most) {
        String clean = LogText.clean(text);
        if (bytes(clean) <= most) {
            return clean;
        }
        int left = most - DOTS.length();
        int begin = clean.length();
        while (bytes(clean.codePointBefore(begin)) <= left) {
            left -= bytes(clean.codePointBefore(begin));
            begin -= Character.charCount(clean.codePointBefore(begin));
        }
        return DOTS + clean.substring(begin);
    }

    private static int bytes(String text) {
        return text.codePoints().map(FindingAttributes::bytes).sum();
    }

    /** In UTF-8. */
    private static int bytes(int character) {
        if (character < 0x80) {
            return 1;
        }
        return character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    }
}
