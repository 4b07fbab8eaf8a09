package io.lifeguard.pool.corpus.sizing;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.pool.corpus.looks.Watcher;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.time.Duration;

/** Notes what is said of one pool while it runs. One thread only. */
final class Advisor {

    private static final long LOOK_MILLIS = 250;

    private final String pool;
    private final int from;
    private Said last = new Said(0, 0, "");

    /**
     * What was said last.
     *
     * @param first the first size, 0 for none
     * @param size the last size, 0 for none
     * @param text the last finding
     */
    record Said(int first, int size, String text) {}

    /** For a pool of this name and size. */
    Advisor(String pool, int from) {
        this.pool = pool;
        this.from = from;
    }

    Said last() {
        return last;
    }

    /** Looks at the findings of a monitor of this JVM four times a second. */
    void ask(PoolMonitor monitor, Duration length) throws InterruptedException {
        long start = System.nanoTime();
        for (long millis = 0; millis < length.toMillis(); millis = (System.nanoTime() - start) / 1_000_000) {
            Thread.sleep(LOOK_MILLIS);
            for (Finding finding : monitor.findings()) {
                if (finding.pool().equals(pool)) {
                    int size = finding.recommendedSize().orElse(0);
                    note(millis, finding.id(), size, finding.summary() + " " + finding.advice());
                }
            }
        }
    }

    /** Has another JVM watch this one. */
    void askFromOutside(Duration length) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (Watcher watcher =
                Watcher.start(ChildJvm.java(), ProcessHandle.current().pid(), length)) {
            watcher.forEachWindow(window -> {
                for (JsonNode seen : window.get("pools")) {
                    if (seen.get("name").asText().startsWith(pool)) {
                        seen.get("findings").forEach(finding -> note(finding, (System.nanoTime() - start) / 1_000_000));
                    }
                }
            });
        }
    }

    private void note(JsonNode finding, long millis) {
        note(
                millis,
                finding.get("id").asText(),
                finding.path("recommendedSize").asInt(0),
                finding.get("summary").asText() + " " + finding.path("advice").asText());
    }

    private void note(long millis, String id, int size, String text) {
        AdvisedResult.printSaid(from, millis, id, size);
        last = new Said(last.first() > 0 ? last.first() : size, size > 0 ? size : last.size(), id + ": " + text);
    }
}
