package io.lifeguard.pool.tools.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Writes what a watch sees as one line of JSON, in ASCII only so that no encoding of a pipe can spoil it. Stateless.
 * The schema is {@code watch.schema.json} beside this class. What is not known is absent.
 */
public final class WatchJson {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private WatchJson() {}

    /**
     * {@return one JSON object without line breaks}
     *
     * @param watch what is watched, not null
     * @param now the time that it is written with, not null
     */
    public static String of(Watch watch, Instant now) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("time", now.toString());
            json.writeNumberField("pid", watch.target().pid());
            List<PoolView> pools = watch.pools();
            Optional<ProcessWindow> process = pools.stream()
                    .flatMap(pool -> pool.window().stream())
                    .map(PoolWindow::process)
                    .findFirst();
            if (process.isPresent()) {
                json.writeNumberField("cpus", process.get().cores());
                number(json, "cpuUsed", process.get().cpu());
            }
            json.writeArrayFieldStart("pools");
            for (PoolView pool : pools) {
                write(json, pool);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, PoolView pool) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", pool.name());
        json.writeStringField("kind", word(pool.kind()));
        json.writeBooleanField("judged", pool.kind().isJudged());
        json.writeNumberField("threads", pool.workers());
        json.writeNumberField("dumps", pool.looks());
        if (pool.window().isPresent()) {
            json.writeObjectFieldStart("doing");
            for (Doing doing : Doing.values()) {
                number(json, word(doing), pool.threads(doing));
            }
            json.writeEndObject();
            Bottleneck limit = pool.window().get().bottleneck();
            if (limit != Bottleneck.UNKNOWN) {
                json.writeStringField("limit", word(limit));
            }
        }
        json.writeArrayFieldStart("findings");
        for (Finding finding : pool.findings()) {
            write(json, finding);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("unknown");
        for (String missing : pool.missing()) {
            json.writeString(missing);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Finding finding) throws IOException {
        Certainty certainty = Certainty.of(finding);
        json.writeStartObject();
        json.writeStringField("id", finding.id());
        json.writeStringField("severity", word(finding.severity()));
        json.writeStringField("since", finding.since().toString());
        json.writeStringField("summary", finding.summary());
        json.writeStringField("advice", finding.advice());
        json.writeStringField("certainty", certainty.level());
        json.writeStringField("certaintyWhy", certainty.why());
        if (finding.recommendedSize().isPresent()) {
            json.writeNumberField("recommendedSize", finding.recommendedSize().getAsInt());
        }
        json.writeObjectFieldStart("evidence");
        for (var entry : finding.evidence().entrySet()) {
            json.writeFieldName(entry.getKey());
            writeValue(json, entry.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeValue(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Double number) {
            writeNumber(json, number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Duration time) {
            json.writeNumber(time.toNanos() / 1e9); // seconds
        } else if (value instanceof Iterable<?> all) {
            json.writeStartArray();
            for (Object each : all) {
                writeValue(json, each);
            }
            json.writeEndArray();
        } else {
            json.writeString(String.valueOf(value));
        }
    }

    private static void writeNumber(JsonGenerator json, double number) throws IOException {
        if (Double.isFinite(number)) {
            json.writeNumber(number);
        } else {
            json.writeNull();
        }
    }

    private static void number(JsonGenerator json, String name, OptionalDouble number) throws IOException {
        if (number.isPresent()) {
            json.writeNumberField(name, number.getAsDouble());
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
