package io.lifeguard.pool.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check that other tests trust does find what breaks the schema. */
class SchemaCheckTest {

    private static final String GOOD = "{\"schema\": \"urn:lifeguard:schema:1#watch\", "
            + "\"time\": \"2026-11-25T14:00:00Z\", \"pid\": 1, \"pools\": [], \"notLookedAt\": []}";

    @Test
    void document_thatFollowsTheSchema_passes() {
        SchemaCheck.document(Document.WATCH, GOOD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"pid\": 1>\"pid\": \"1\"",
                "\"pid\": 1>\"pid\": 1, \"other\": 1",
                "\"pools\": []>\"pools\": [{\"name\": \"a\", \"kind\": \"none\", \"threads\": 1}]",
                "2026-11-25T14:00:00Z>now",
                ", \"notLookedAt\": []>"
            })
    void document_thatBreaksTheSchema_fails(String change) {
        String[] parts = change.split(">", -1);
        String bad = GOOD.replace(parts[0], parts[1]);

        assertThat(bad).isNotEqualTo(GOOD);
        assertThatThrownBy(() -> SchemaCheck.document(Document.WATCH, bad)).isInstanceOf(AssertionError.class);
    }

    /** A document of each kind names its own part, and no part is missing from the schema. */
    @ParameterizedTest
    @EnumSource(Document.class)
    void begin_eachKind_namesItsPart(Document kind) {
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');

        assertThat(kind.begin()).containsExactly(Map.entry("schema", "urn:lifeguard:schema:1#" + name));
        assertThatThrownBy(() -> SchemaCheck.document(kind, "{\"schema\": \"urn:lifeguard:schema:1#" + name + "\"}"))
                .as("required fields are missing")
                .isInstanceOf(AssertionError.class);
    }
}
