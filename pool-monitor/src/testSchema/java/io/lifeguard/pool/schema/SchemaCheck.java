package io.lifeguard.pool.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** Checks JSON against the published schema. */
public final class SchemaCheck {

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(Document.ID, text())));

    private SchemaCheck() {}

    /** Fails if a text is no document of this kind. */
    public static void document(Document kind, String json) {
        String id = Document.ID + "#" + Document.word(kind);
        assertThat(json).containsPattern("\"schema\" ?: ?\"" + id + "\"");
        part(Document.word(kind), json);
    }

    /** Fails if a text does not follow a part of the schema, for instance {@code finding}. */
    public static void part(String anchor, String json) {
        Schema schema = REGISTRY.getSchema(SchemaLocation.of(Document.ID + "#" + anchor));
        assertThat(schema.validate(
                        json,
                        InputFormat.JSON,
                        execution -> execution.executionConfig(config -> config.formatAssertionsEnabled(true))))
                .as("%s: %s", anchor, json)
                .isEmpty();
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(
                Document.class.getClassLoader().getResourceAsStream(Document.RESOURCE), "the schema is in the jar")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
