package io.lifeguard.pool.tools.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Writes maps, lists, numbers, booleans and text as JSON, in ASCII only so that no encoding of a terminal or a pipe can
 * spoil it. Stateless.
 */
public final class JsonText {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonText() {}

    /** {@return one object in one line} */
    public static String line(Map<String, ?> json) {
        return text(json, false);
    }

    /** {@return one object in many lines} */
    public static String lines(Map<String, ?> json) {
        return text(json, true);
    }

    private static String text(Map<String, ?> json, boolean isPretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            if (isPretty) {
                generator.useDefaultPrettyPrinter();
            }
            write(generator, json);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator to, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            to.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                to.writeFieldName((String) entry.getKey());
                write(to, entry.getValue());
            }
            to.writeEndObject();
        } else if (value instanceof Iterable<?> all) {
            to.writeStartArray();
            for (Object each : all) {
                write(to, each);
            }
            to.writeEndArray();
        } else if (value instanceof Double || value instanceof Float) {
            to.writeNumber(((Number) value).doubleValue());
        } else if (value instanceof BigDecimal number) {
            to.writeNumber(number);
        } else if (value instanceof Number number) {
            to.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            to.writeBoolean(truth);
        } else {
            to.writeString(value.toString());
        }
    }
}
