package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.WorkerLooks;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** A tick of the picture, for recordings of less than ten minutes: 0.1 ms. */
    private static final long TICK_NANOS = 100_000;

    /** Of one worker; more than that repeat themselves. */
    private static final int LOOKS = 50;

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

    @ParameterizedTest
    @MethodSource("recordings")
    void picture_ofAStory_agreesWithItsRecording(Path file) throws IOException {
        List<Observation> recording = RecordingReader.read(file);
        browser.resize(1280, 1000);
        browser.open(file.getFileName().toString(), PoolReport.of("Story", recording));
        long start = (long) browser.number("return picture.groups[0].pool.recording.start") * 1_000_000;

        assertThat(checkLooks(recording, start)).as("looks that were compared").isPositive();
        checkBands(recording, start);
        checkStrips(recording, start);
    }

    /**
     * Each look is in its lane at its moment, with what the worker did and where. Left out are looks that share their
     * tick with another look at the worker, or with the begin or end of a task: a tick has one colour. {@return how
     * many were compared}
     */
    private static int checkLooks(List<Observation> recording, long start) {
        Map<List<String>, List<Long>> moments = moments(recording);
        Map<List<String>, Integer> compared = new HashMap<>();
        List<List<Object>> wanted = new ArrayList<>();
        for (Observation observation : recording) {
            if (observation instanceof WorkerSample look && look.doing() != Doing.IDLE) {
                List<String> lane = List.of(look.pool(), look.thread());
                long near = moments.get(lane).stream()
                        .filter(moment -> Math.abs(moment - look.startNanos()) < 2 * TICK_NANOS)
                        .count();
                if (near == 1 && compared.merge(lane, 1, Integer::sum) <= LOOKS) {
                    wanted.add(List.of(
                            look.pool(),
                            look.thread(),
                            ((look.startNanos() - start) / TICK_NANOS + 0.5) * TICK_NANOS / 1e9,
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
        assertThat((List<?>) wrong).as("looks that the picture does not show").isEmpty();
        return wanted.size();
    }

    /** {@return the moments at which something is known of each worker: looks, and begins and ends of tasks} */
    private static Map<List<String>, List<Long>> moments(List<Observation> recording) {
        Map<List<String>, List<Long>> moments = new HashMap<>();
        for (Observation each : recording) {
            if (each instanceof WorkerSample look) {
                add(moments, look.pool(), look.thread(), look.startNanos());
            } else if (each instanceof TaskRun task) {
                add(moments, task.pool(), task.thread(), task.startNanos());
                add(moments, task.pool(), task.thread(), task.endNanos());
            } else if (each instanceof PoolLooks window) {
                WorkerLooks looks = WorkerLooks.read(window.content());
                looks.workers()
                        .forEach(worker -> looks.moments()
                                .forEach(moment ->
                                        add(moments, window.pool(), worker.thread(), window.startNanos() + moment)));
            }
        }
        return moments;
    }

    private static void add(Map<List<String>, List<Long>> moments, String pool, String thread, long moment) {
        moments.computeIfAbsent(List.of(pool, thread), any -> new ArrayList<>()).add(moment);
    }

    /** The band of each finding begins when the finding was raised first. */
    private static void checkBands(List<Observation> recording, long start) {
        Map<List<String>, Long> first = new HashMap<>();
        double seconds = browser.number("return picture.groups[0].pool.recording.seconds");
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
                    .isCloseTo((from - start) / 1e9 / seconds, within(0.005));
        });
    }

    /**
     * The strips of the pool with the most windows show the queue that a window in the middle had. A story may make two
     * pools of one name, one after the other. The last window of the first pool ends when the monitor has noticed the
     * end of the pool, which may be after the second pool's first window began. Of such a pair the picture shows the
     * second, whose queue is there at that moment. So a window is taken in whose middle there is no other.
     */
    private static void checkStrips(List<Observation> recording, long start) {
        List<WindowSummary> windows = recording.stream()
                .filter(WindowSummary.class::isInstance)
                .map(WindowSummary.class::cast)
                .sorted(Comparator.comparingLong(Observation::startNanos))
                .collect(Collectors.groupingBy(WindowSummary::pool))
                .values()
                .stream()
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
        List<WindowSummary> alone = windows.stream()
                .filter(window -> windows.stream()
                                .filter(other ->
                                        other.startNanos() <= middle(window) && middle(window) <= other.endNanos())
                                .count()
                        == 1)
                .toList();
        assertThat(alone)
                .as("windows in whose middle there is no other: of %s, all but one such pair", windows.size())
                .hasSizeGreaterThanOrEqualTo(windows.size() - 2);
        WindowSummary window = alone.get(alone.size() / 2);
        browser.script("""
            picture.choosePool(picture.groups.find((group) => group.pool.name === arguments[0]).pool);
            picture.strips.read(arguments[1]);
            """, window.pool(), (middle(window) - start) / 1e9);
        assertThat(browser.all(".readout").get(0).getText())
                .contains(String.format(
                        Locale.ROOT, "queued %,d", window.load().queued().orElseThrow()));
    }

    private static long middle(Observation window) {
        return window.startNanos() + window.durationNanos() / 2;
    }
}
