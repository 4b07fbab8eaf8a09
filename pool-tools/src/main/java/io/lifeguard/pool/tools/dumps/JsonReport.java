package io.lifeguard.pool.tools.dumps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Group;
import io.lifeguard.pool.tools.dumps.ThreadDumps.LockQueue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Writes thread dumps as JSON, in ASCII only so that no encoding of a terminal or a pipe can spoil it. Not thread-safe.
 */
final class JsonReport {

    private final StringWriter text = new StringWriter();
    private final JsonGenerator json;

    private JsonReport() throws IOException {
        json = JsonFactory.builder()
                .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                .build()
                .createGenerator(text)
                .useDefaultPrettyPrinter();
    }

    static String of(ThreadDumps dumps) {
        try {
            JsonReport report = new JsonReport();
            report.write(dumps);
            report.json.close();
            return report.text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
    }

    private void write(ThreadDumps dumps) throws IOException {
        json.writeStartObject();
        writeArray("dumps", dumps.dumps(), this::write);
        json.writeNumberField("threadsPerDump", dumps.threadsPerDump());
        json.writeObjectFieldStart("states");
        for (Map.Entry<Thread.State, Double> state : dumps.states().entrySet()) {
            json.writeNumberField(state.getKey().name(), state.getValue());
        }
        json.writeEndObject();
        writeArray("groups", dumps.groups(), this::write);
        writeArray("locks", dumps.locks(), this::write);
        writeArray("deadlocks", dumps.deadlocks(), this::write);
        writeArray("problems", dumps.problems(), json::writeString);
        json.writeEndObject();
    }

    private <T> void writeArray(String name, List<T> elements, ElementWriter<T> writer) throws IOException {
        json.writeArrayFieldStart(name);
        for (T element : elements) {
            writer.write(element);
        }
        json.writeEndArray();
    }

    private interface ElementWriter<T> {
        void write(T element) throws IOException;
    }

    private void write(ThreadDump dump) throws IOException {
        json.writeStartObject();
        json.writeStringField("source", dump.source());
        json.writeNumberField("threads", dump.threads().size());
        json.writeEndObject();
    }

    private void write(Group group) throws IOException {
        json.writeStartObject();
        json.writeNumberField("threads", group.threads());
        json.writeStringField("doing", TextReport.words(group.doing()).replace(' ', '-'));
        json.writeStringField("place", group.place());
        json.writeEndObject();
    }

    private void write(LockQueue queue) throws IOException {
        json.writeStartObject();
        json.writeNumberField("waiters", queue.waiters());
        json.writeStringField("lock", queue.lock());
        json.writeStringField("type", queue.type());
        json.writeStringField("place", queue.place());
        if (queue.owner().isPresent()) {
            DumpedThread owner = queue.owner().get();
            json.writeStringField("holder", owner.name());
            json.writeStringField("holderPlace", owner.place());
            if (!owner.stack().isEmpty()) {
                json.writeStringField("holderTop", owner.stack().get(0).toString());
            }
        }
        json.writeEndObject();
    }

    private void write(List<DumpedThread> circle) throws IOException {
        json.writeStartArray();
        for (DumpedThread thread : circle) {
            json.writeStartObject();
            json.writeStringField("thread", thread.name());
            json.writeStringField("place", thread.place());
            json.writeStringField(
                    "wants", thread.waitsFor().map(DumpedThread.Lock::identity).orElse(""));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
