package io.lifeguard.pool.corpus.looks;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Looks at what {@code lifeguard watch} says of this JVM. Thread-safe. */
public final class OutsideLookout implements Lookout {

    private final TakenLooks taken = new TakenLooks();
    private final Watcher watcher;

    /** Has another JVM watch this one for this long. */
    public OutsideLookout(Duration length) throws IOException {
        this(ProcessHandle.current().pid(), length);
    }

    /** Has another JVM watch that process for this long. */
    public OutsideLookout(long pid, Duration length) throws IOException {
        watcher = Watcher.start(ChildJvm.java(), pid, length);
        Thread reader = new Thread(this::read, "lookout");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            watcher.forEachWindow(this::look);
        } catch (IOException | UncheckedIOException e) {
            System.out.println("the watcher is not heard any longer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(JsonNode window) {
        List<Standing> standing = new ArrayList<>();
        for (JsonNode pool : window.get("pools")) {
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

    @Override
    public void end(long zero) {
        watcher.close();
        taken.print(zero);
    }
}
