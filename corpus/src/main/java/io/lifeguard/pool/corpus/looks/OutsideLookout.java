package io.lifeguard.pool.corpus.looks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Looks at what {@code lifeguard watch} says of this JVM. Thread-safe. */
public final class OutsideLookout implements Lookout {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final TakenLooks taken = new TakenLooks();
    private final Watcher watcher;

    /** Has another JVM watch this one for this long. */
    public OutsideLookout(Duration length) throws IOException {
        watcher = Watcher.start(ChildJvm.java(), ProcessHandle.current().pid(), length);
        Thread reader = new Thread(this::read, "lookout");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            watcher.forEachLine(this::look);
        } catch (IOException | UncheckedIOException e) {
            System.out.println("the watcher is not heard any longer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(String line) {
        if (!line.startsWith("{")) {
            System.out.println(line); // what the watcher has to say beside
            return;
        }
        List<Standing> standing = new ArrayList<>();
        for (JsonNode pool : parsed(line).get("pools")) {
            for (JsonNode finding : pool.get("findings")) {
                standing.add(standing(pool, finding));
            }
        }
        taken.add(standing);
    }

    private static Standing standing(JsonNode pool, JsonNode finding) {
        return new Standing(
                finding.get("id").asText(),
                pool.get("name").asText(),
                finding.has("recommendedSize")
                        ? OptionalInt.of(finding.get("recommendedSize").asInt())
                        : OptionalInt.empty(),
                OptionalInt.of(pool.get("threads").asInt()),
                finding.get("summary").asText() + " | " + finding.path("advice").asText() + " | "
                        + finding.path("evidence"));
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException("the watcher printed no JSON: " + line, e);
        }
    }

    @Override
    public void end(long zero) {
        watcher.close();
        taken.print(zero);
    }
}
