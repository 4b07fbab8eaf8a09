package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.Keys;

/**
 * Opens the pages that the stories and the main example wrote, and compares flight recordings of them with their
 * pictures. The environment variable names the directory with the pages and the recordings, at any depth.
 */
@EnabledIfEnvironmentVariable(named = StoryPagesTest.STORIES, matches = ".+")
class StoryPagesTest extends BrowserTest {

    static final String STORIES = "LIFEGUARD_STORIES";

    private static int compared; // looks, in all stories; written by the thread of the tests

    private static final Map<Doing, String> LABELS = Map.of(
            Doing.COMPUTING, "computing",
            Doing.WAITING_FOR_CPU, "waiting for a CPU",
            Doing.WAITING_FOR_LOCK, "waiting for a lock",
            Doing.WAITING_FOR_RESULT, "waiting for a result",
            Doing.WAITING_IN_LINE, "in line for a limited resource",
            Doing.WAITING_OUTSIDE, "waiting for something outside",
            Doing.SLEEPING, "sleeping",
            Doing.UNKNOWN, "unknown");

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(System.getenv(STORIES)))) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    static List<Path> pages() throws IOException {
        return files(".html");
    }

    static List<Path> recordings() throws IOException {
        return files(".jfr");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_ofAStory_isQuietAccessibleAndObeysKeys(Path page) throws IOException {
        String name = page.getFileName().toString().replace(".html", "");
        browser.resize(1280, 1000);
        browser.open(page);

        assertThat(browser.console()).isEmpty();
        assertThat(browser.requests()).containsExactly(page.toUri().toString());
        assertThat(browser.text("#verdicts")).isNotEmpty().doesNotContain("Nothing is known");
        assertThat(browser.number("return Math.max(...picture.groups.map(({ lanes }) => lanes.rows.length))"))
                .as("rows of the largest pool")
                .isPositive();
        browser.keepScreenshot(name);
        assertThat(browser.violations()).isEmpty();

        double all = browser.number("return picture.axis.length");
        browser.press("+");
        assertThat(browser.number("return picture.axis.length")).isCloseTo(all / 2, within(1e-6));
        browser.press("0");
        browser.press("d");
        browser.keepScreenshot(name + "-dark");
        if (!browser.all(".band").isEmpty()) {
            browser.press("n");
            assertThat(browser.text("#drawer-body")).contains("What to do");
            browser.press(Keys.ESCAPE);
        }
        browser.resize(420, 1000);
        browser.awaitDrawn();
        browser.keepScreenshot(name + "-narrow");
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .as("width of the page in a window of 420 pixels")
                .isLessThanOrEqualTo(browser.number("return document.documentElement.clientWidth"));
        assertThat(browser.console()).isEmpty();
    }

    /** A story whose tasks are short has no look that holds for long; all together have. */
    @AfterAll
    static void looks_ofAllStories_wereCompared() {
        assertThat(compared).as("looks that were compared").isPositive();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void picture_ofAStory_agreesWithItsRecording(Path file) throws IOException {
        List<Observation> recording = RecordingReader.read(file);
        long start = recording.stream().mapToLong(Observation::startNanos).min().orElseThrow();
        browser.resize(1280, 1000);
        browser.open(file.getFileName().toString(), PoolReport.of("Story", recording));

        compared += checkLooks(recording, start);
        checkBands(recording, start);
        checkStrips(recording, start);
    }

    /**
     * Looks that hold for 20 ms are in their lanes, with what the worker did and where: three of four, because lanes are
     * fitted to the counters of the pool, and end with their tasks, so that some end before the next pixel. {@return how
     * many}
     */
    private static int checkLooks(List<Observation> recording, long start) {
        Map<List<String>, List<WorkerSample>> lanes = recording.stream()
                .filter(WorkerSample.class::isInstance)
                .map(WorkerSample.class::cast)
                .sorted(Comparator.comparingLong(Observation::startNanos))
                .collect(Collectors.groupingBy(look -> List.of(look.pool(), look.thread())));
        List<List<Object>> wanted = new ArrayList<>();
        for (List<WorkerSample> lane : lanes.values()) {
            for (int i = 0; i + 1 < lane.size() && i < 50; i++) {
                WorkerSample look = lane.get(i);
                // a task that began after a look at an idle worker hides that look
                if (look.doing() != Doing.IDLE && lane.get(i + 1).startNanos() - look.startNanos() > 20_000_000) {
                    wanted.add(List.of(
                            look.pool(),
                            look.thread(),
                            (look.startNanos() - start + 1_000_000) / 1e9,
                            LABELS.get(look.doing()),
                            look.place().isEmpty() ? "" : "at " + look.place()));
                }
            }
        }
        Object wrong = browser.script("""
            return arguments[0].filter(([pool, thread, time, doing, place]) => {
              const { lanes } = picture.groups.find((group) => group.pool.name === pool);
              if (!lanes.isExpanded) {
                lanes.toggle();
              }
              const row = lanes.rows.find((each) => each.lane && !each.isSubmitter && each.lane.n === thread);
              const left = innerWidth < 620 ? 92 : 176;
              const x = left + ((time - picture.axis.from) / picture.axis.length) * (lanes.width - left);
              const lines = row ? lanes.at(x, row.top + 1 - lanes.scroller.scrollTop).lines : [];
              const short = place.replace(/\\b(?:[a-z_][\\w]*\\.)+(?=[A-Z])/g, (packages) =>
                packages.split('.').map((each) => each.slice(0, 1)).join('.'));
              const isOnCpu = doing === 'computing' && /^(waiting for a CPU|unknown)/.test(lines[2]);
              return lines[0] !== thread || !(lines[2].startsWith(doing) || isOnCpu)
                || !(place === '' || lines.includes(short));
            }).map((each) => each.join(' | '));
            """, wanted);
        assertThat((List<?>) wrong).hasSizeLessThanOrEqualTo(wanted.size() / 4);
        return wanted.size();
    }

    /** The band of each finding begins when the finding was raised first. */
    private static void checkBands(List<Observation> recording, long start) {
        Map<List<String>, Long> first = new HashMap<>();
        long end = recording.stream().mapToLong(Observation::endNanos).max().orElseThrow();
        for (Observation observation : recording) {
            if (observation instanceof FindingChange change && change.change() == Change.RAISED) {
                first.merge(
                        List.of(change.id(), change.pool()),
                        Math.max(start, Math.min(change.sinceNanos(), change.startNanos())),
                        Math::min);
            }
        }
        first.forEach((finding, from) -> {
            double share = browser.number("""
                const [id, name] = arguments;
                const { pool } = picture.groups.find((group) => group.pool.name === name);
                const bands = pool.findings.filter((each) => each.id === id).map(({ band }) => {
                  const box = band.getBoundingClientRect();
                  const all = band.parentElement.getBoundingClientRect();
                  return (box.left - all.left) / all.width;
                });
                return Math.min(2, ...bands);
                """, finding.get(0), finding.get(1));
            assertThat(share)
                    .as("where the band of %s begins", finding)
                    .isCloseTo((double) (from - start) / (end - start), within(0.005));
        });
    }

    /**
     * The strips of the pool with the most windows show the queue that a window in the middle had. Where the queue
     * changed from one window to the next, a moment between the two has no one value.
     */
    private static void checkStrips(List<Observation> recording, long start) {
        List<WindowSummary> windows = recording.stream()
                .filter(WindowSummary.class::isInstance)
                .map(WindowSummary.class::cast)
                .collect(Collectors.collectingAndThen(Collectors.groupingBy(WindowSummary::pool), (Function<
                                Map<String, List<WindowSummary>>, List<WindowSummary>>)
                        byPool -> byPool.values().stream()
                                .max(Comparator.comparingInt(List::size))
                                .orElseThrow()));
        Optional<WindowSummary> steady = IntStream.range(1, windows.size() - 1)
                .filter(i ->
                        queued(windows, i) == queued(windows, i - 1) && queued(windows, i) == queued(windows, i + 1))
                .boxed()
                .min(Comparator.comparingInt(i -> Math.abs(i - windows.size() / 2)))
                .map(windows::get);
        if (steady.isEmpty()) {
            return;
        }
        WindowSummary window = steady.get();
        double moment = (window.startNanos() - start + window.durationNanos() / 2) / 1e9;
        browser.script("""
            picture.choosePool(picture.groups.find((group) => group.pool.name === arguments[0]).pool);
            picture.strips.read(arguments[1]);
            """, window.pool(), moment);
        assertThat(browser.all(".readout").get(0).getText())
                .contains(String.format(Locale.ROOT, "queued %,d", window.load().queued()));
    }

    private static long queued(List<WindowSummary> windows, int index) {
        return windows.get(index).load().queued();
    }
}
