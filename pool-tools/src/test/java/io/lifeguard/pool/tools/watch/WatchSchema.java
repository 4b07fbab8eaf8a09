package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks JSON against {@code watch.schema.json}. Knows the few keywords of JSON Schema that this file uses. */
final class WatchSchema {

    private WatchSchema() {}

    /** Fails if a text breaks the schema, with the path of the offending part. */
    static void check(String json) throws IOException {
        check("line", schema(), value(new StringReader(json)));
    }

    private static Map<?, ?> schema() throws IOException {
        try (InputStream in = Objects.requireNonNull(WatchJson.class.getResourceAsStream("watch.schema.json"))) {
            return (Map<?, ?>) value(new InputStreamReader(in, StandardCharsets.UTF_8));
        }
    }

    private static void check(String path, Map<?, ?> schema, Object value) {
        schema.forEach((keyword, wanted) -> {
            switch ((String) keyword) {
                case "type" -> assertThat(value).as(path).isInstanceOf(type((String) wanted));
                case "enum" -> assertThat((List<?>) wanted).as(path).anyMatch(value::equals);
                case "required" ->
                    assertThat(((Map<?, ?>) value).keySet().containsAll((List<?>) wanted))
                            .as("%s has %s", path, wanted)
                            .isTrue();
                case "items" -> ((List<?>) value).forEach(each -> check(path + "[]", (Map<?, ?>) wanted, each));
                case "properties" ->
                    ((Map<?, ?>) wanted).forEach((name, part) -> {
                        if (((Map<?, ?>) value).containsKey(name)) {
                            check(path + "." + name, (Map<?, ?>) part, ((Map<?, ?>) value).get(name));
                        }
                    });
                case "additionalProperties" -> checkOthers(path, schema, wanted, (Map<?, ?>) value);
                case "$schema", "title", "description" -> {
                    // say nothing about the value
                }
                default -> throw new AssertionError("unknown keyword " + keyword);
            }
        });
    }

    private static void checkOthers(String path, Map<?, ?> schema, Object wanted, Map<?, ?> value) {
        Map<?, ?> known = schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
        value.forEach((name, part) -> {
            if (!known.containsKey(name)) {
                assertThat(wanted).as("%s.%s is allowed", path, name).isInstanceOf(Map.class);
                check(path + "." + name, (Map<?, ?>) wanted, part);
            }
        });
    }

    private static Class<?> type(String name) {
        return switch (name) {
            case "object" -> Map.class;
            case "array" -> List.class;
            case "string" -> String.class;
            case "boolean" -> Boolean.class;
            case "integer" -> Long.class;
            case "number" -> Number.class;
            default -> throw new AssertionError("unknown type " + name);
        };
    }

    private static Object value(Reader text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            Object value = value(parser);
            assertThat(parser.nextToken()).as("a second value").isNull();
            return value;
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_STRING -> parser.getText();
            default -> throw new AssertionError("unexpected " + parser.currentToken());
        };
    }
}
