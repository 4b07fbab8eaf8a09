package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Draws the pictures in the documentation from flight recordings of the stories and of the corpus. Runs only when asked
 * by {@code checks/browser-tests/draw-pictures}, because new recordings make new pictures.
 */
@EnabledIfSystemProperty(named = DrawPictures.RECORDINGS, matches = ".+")
class DrawPictures extends BrowserTest {

    static final String RECORDINGS = "pictures.recordings";

    private static final Path TARGET = Path.of("..", "..", "docs", "pictures");

    /** The largest file for the picture of a finding, in bytes. */
    private static final int FINDING_BYTES = 80_000;

    private static final int README_BYTES = 150_000;

    private static List<Observation> recording(String name) throws IOException {
        return RecordingReader.read(Path.of(System.getProperty(RECORDINGS), name + ".jfr"));
    }

    /** The seconds around the moment at which the dispatcher stops to run tasks, and begins to wait. */
    @Test
    void dispatcher_storyAroundItsCure_inBothColours() throws IOException {
        List<Observation> story = recording("story-dispatcher");
        long start = story.stream().mapToLong(Observation::startNanos).min().orElseThrow();
        double cure = story.stream()
                        .filter(CallerRun.class::isInstance)
                        .mapToLong(Observation::endNanos)
                        .map(end -> end - start)
                        .max()
                        .orElseThrow()
                / 1e9;
        browser.open("dispatcher", PoolReport.of("Dispatcher", story));
        for (boolean isDark : new boolean[] {false, true}) {
            browser.prepare(880, isDark, "dispatcher-runs-tasks", "");
            browser.script("picture.axis.show(arguments[0], arguments[1])", cure - 2.5, cure + 3);
            Path picture = TARGET.resolve(isDark ? "dispatcher-dark.webp" : "dispatcher-light.webp");
            browser.draw(picture, README_BYTES);
        }
    }

    /** Far more workers than the CPUs can serve, beside a good size. Records them first, which takes half a minute. */
    @Test
    void hundredWorkers_besideSixteen() throws Exception {
        PoolReport pair = PoolReport.comparing("Crowd", "100 workers", crowd(100), "16 workers", crowd(16));
        browser.open("crowd", pair);
        browser.prepare(760, false, "", "Service time");
        browser.draw(TARGET.resolve("hundred-beside-sixteen.webp"), FINDING_BYTES);
    }

    private static List<Observation> crowd(int workers) throws Exception {
        String name = "crowd-" + workers;
        Path file = Path.of(System.getProperty(RECORDINGS), name + ".jfr");
        if (!Files.exists(file)) {
            Crowd.record(workers, Duration.ofSeconds(15), file);
        }
        return recording(name);
    }

    /** The finding, the workload of the corpus that has it, and the strips that show it. */
    @ParameterizedTest
    @CsvSource({
        "dispatcher-runs-tasks, caller-runs-short-queue, ",
        "cpu-saturated, hash-on-too-many-threads, CPU",
        "blocked-on-io, distant-database, Queue",
        "downstream-saturated, fifty-workers-on-four-permits, Service time",
        "lock-contention, synchronized-lazy-getter, ",
        "starved-by-own-tasks, children-in-the-own-queue, Queue",
        "waits-on-another-pool, prices-from-a-small-pool, ",
        "common-pool-blocked, calls-in-the-common-pool, Queue",
        "schedule-late, heartbeat-behind-a-report, Queue wait",
        "stuck-task, peer-that-never-answers, ",
        "event-loop-blocked, event-loop-that-waits-for-a-result, ",
        "queue-growing, more-hashing-than-cpu, Queue",
        "high-system-cpu, fair-lock-convoy, CPU",
        "cpu-throttled, half-a-cpu, Disturbances",
        "oversized, sixty-four-for-three, ",
        "max-size-unreachable, maximum-behind-an-unbounded-queue, Queue",
        "failures-unseen, futures-nobody-looks-at, Throughput",
        "pool-leaked, shut-down-and-never-drained, Queue"
    })
    void finding_workloadOfTheCorpus(String finding, String workload, String strip) throws IOException {
        List<Observation> recording = recording(workload);
        assertThat(recording.stream()
                        .anyMatch(each -> each instanceof FindingChange change
                                && change.id().equals(finding)))
                .as("the recording of %s has the finding; otherwise record it again", workload)
                .isTrue();
        browser.open(finding, PoolReport.of(finding, recording));
        browser.prepare(760, false, finding, strip == null ? "" : strip);
        browser.draw(Files.createDirectories(TARGET.resolve("findings")).resolve(finding + ".webp"), FINDING_BYTES);
    }
}
