package io.lifeguard.pool.tools.dumps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) that may break off. The value is then what was read before the break. Objects become maps,
 * arrays become lists, and everything else becomes a string. Not thread-safe.
 */
final class TolerantJson {

    /** Refuses deeper nesting, so that a forged file cannot overflow the stack. A dump nests 7 levels. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(100)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonParser parser;
    private final int firstLine;
    private @Nullable String problem;
    private int problemLine;

    private TolerantJson(String text, int firstLine) {
        try {
            this.parser = JSON.createParser(text.stripTrailing()); // a text that breaks off then ends in its last line
        } catch (IOException e) {
            throw new UncheckedIOException("a string can be read", e);
        }
        this.firstLine = firstLine;
    }

    /** Returns a map, a list or a string. Adds the first error to the problems. */
    static Object read(String text, int firstLine, ReadProblems problems) {
        TolerantJson json = new TolerantJson(text, firstLine);
        Object value = json.value(json.next());
        if (json.problem != null) {
            problems.addCut(json.problemLine, json.problem);
        }
        return value;
    }

    private Object value(@Nullable JsonToken first) {
        if (first == JsonToken.START_OBJECT) {
            Map<String, Object> members = new LinkedHashMap<>();
            while (next() == JsonToken.FIELD_NAME) {
                String name = text();
                members.put(name, value(next()));
            }
            return members;
        } else if (first == JsonToken.START_ARRAY) {
            List<Object> elements = new ArrayList<>();
            for (JsonToken each = next(); each != null && each != JsonToken.END_ARRAY; each = next()) {
                elements.add(value(each));
            }
            return elements;
        }
        return first == null ? "" : text();
    }

    /** Returns the next token; null at the end of the text and after a problem. */
    private @Nullable JsonToken next() {
        try {
            return problem == null ? parser.nextToken() : null;
        } catch (IOException e) {
            fail(e);
            return null;
        }
    }

    /** Returns the text of the current token; empty when the text breaks off within the token. */
    private String text() {
        try {
            return parser.getText();
        } catch (IOException e) {
            fail(e);
            return "";
        }
    }

    private void fail(IOException e) {
        problem =
                e instanceof StreamConstraintsException ? "nested too deeply" : "the JSON breaks off or is wrong here";
        problemLine = line();
    }

    private int line() {
        return firstLine + parser.currentLocation().getLineNr() - 1;
    }
}
