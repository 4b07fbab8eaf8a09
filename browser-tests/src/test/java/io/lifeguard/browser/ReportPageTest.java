package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.report.drawing.PoolReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;

/** Opens reports in Chromium: what the page shows agrees with the recording, and it stays by itself. */
class ReportPageTest extends BrowserTest {

    @BeforeEach
    void resize() {
        browser.resize(1280, 1000);
    }

    private static PoolReport report(String name) {
        return switch (name) {
            case "dispatcher" -> PoolReport.of("Jar audit", SampleRecordings.callerRuns());
            case "crowd" -> PoolReport.of("Search index", SampleRecordings.crowd());
            case "hostile" -> PoolReport.of("Hostile", SampleRecordings.hostile());
            case "empty" -> PoolReport.of("Empty", List.of());
            case "compared" ->
                PoolReport.comparing(
                        "Jar audit",
                        "Caller-runs",
                        SampleRecordings.callerRuns(),
                        "Waiting",
                        SampleRecordings.waiting());
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void open(String name) throws IOException {
        browser.open(name, report(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dispatcher", "crowd", "hostile", "empty", "compared"})
    void open_anyRecording_asksForNothingAndLogsNothing(String name) throws IOException {
        Path file = browser.open(name, report(name));

        assertThat(browser.console()).isEmpty();
        assertThat(browser.requests()).containsExactly(file.toUri().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dispatcher", "crowd", "empty", "compared"})
    void open_darkOrLightWideOrNarrow_axeFindsNothing(String name) throws IOException {
        open(name);
        for (int width : new int[] {400, 800, 1280, 1920}) {
            browser.resize(width, 1000);
            browser.awaitDrawn();
            browser.keepScreenshot(name + "-" + width);
            assertThat(browser.violations()).as("light, %d wide", width).isEmpty();
            browser.press("d");
            browser.keepScreenshot(name + "-" + width + "-dark");
            assertThat(browser.violations()).as("dark, %d wide", width).isEmpty();
            browser.press("d");
        }
    }

    @Test
    void drawer_open_axeFindsNothing() throws IOException {
        open("crowd");
        browser.press("n");

        assertThat(browser.find("#drawer").isDisplayed()).isTrue();
        browser.keepScreenshot("crowd-drawer");
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void lanes_everyTenthLook_haveItsColour() throws IOException {
        List<Observation> recording = SampleRecordings.callerRuns();
        open("dispatcher");
        browser.script("picture.axis.show(10, 14)");
        browser.awaitDrawn();
        List<String> colours = List.of(
                "0,158,115",
                "230,159,0",
                "213,94,0",
                "204,121,167",
                "240,228,66",
                "0,114,178",
                "86,180,233",
                "213,217,222");
        int compared = 0;
        for (Observation observation : recording) {
            if (observation instanceof WorkerSample look
                    && seconds(look) > 10
                    && seconds(look) < 13.9
                    && compared++ % 10 == 0) {
                // 25 ms behind the look, in the middle of the time for which it holds
                assertThat(pixel(look.thread(), seconds(look) + 0.025))
                        .as("%s at %s s: %s", look.thread(), seconds(look), look.doing())
                        .isEqualTo(colours.get(look.doing().ordinal()));
            }
        }
        assertThat(compared).isGreaterThan(1000);
    }

    private static double seconds(Observation observation) {
        return (observation.startNanos() - SampleRecordings.START) / 1e9;
    }

    private static String pixel(String thread, double time) {
        return (String) browser.script("""
            const { lanes } = picture.groups[0];
            const row = lanes.rows.find((each) => each.lane && each.lane.n === arguments[0]);
            const ratio = devicePixelRatio;
            const left = lanes.canvas.width - (lanes.width - 176) * ratio;
            const share = (arguments[1] - picture.axis.from) / picture.axis.length;
            const x = Math.floor(left + share * (lanes.canvas.width - left));
            const y = Math.floor((row.top + row.height / 2 - 1) * ratio);
            return [...lanes.canvas.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3).join();
            """, thread, time);
    }

    @Test
    void tooltip_overLane_saysWhatTheRecordingSays() throws IOException {
        List<Observation> recording = SampleRecordings.callerRuns();
        open("dispatcher");
        browser.script("picture.axis.show(10, 11)");
        browser.awaitDrawn();
        WorkerSample look = (WorkerSample) recording.stream()
                .filter(each -> each instanceof WorkerSample sample
                        && sample.doing() == Doing.COMPUTING
                        && seconds(sample) > 10.3
                        && seconds(sample) < 10.7)
                .findFirst()
                .orElseThrow();
        double[] place = place(look.thread(), seconds(look) + 0.025);

        new Actions(browser.driver())
                .moveToLocation((int) place[0], (int) place[1])
                .perform();

        assertThat(browser.text("#tip")).contains(look.thread(), "computing", look.place());
    }

    private static double[] place(String thread, double time) {
        Object found = browser.script("""
            const { lanes } = picture.groups[0];
            const row = lanes.rows.find((each) => each.lane && each.lane.n === arguments[0]);
            lanes.scroller.scrollIntoView({ block: 'center' });
            const box = lanes.scroller.getBoundingClientRect();
            const share = (arguments[1] - picture.axis.from) / picture.axis.length;
            return [box.left + 176 + share * (lanes.width - 176), box.top + row.top + row.height / 2];
            """, thread, time);
        return ((List<?>) found)
                .stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray();
    }

    @Test
    void bands_ofFindings_lieWhereTheyStood() throws IOException {
        open("crowd");
        double length = browser.number("return picture.axis.seconds");

        for (Map.Entry<String, double[]> finding : Map.of(
                        "cpu-saturated", new double[] {2, length}, "lock-contention", new double[] {6, 15})
                .entrySet()) {
            String band = "const band = document.querySelector('.band[aria-label^=" + finding.getKey() + "]');"
                    + "const box = band.getBoundingClientRect();"
                    + "const all = band.parentElement.getBoundingClientRect();";
            assertThat(browser.number(band + "return (box.left - all.left) / all.width"))
                    .isCloseTo(finding.getValue()[0] / length, within(0.002));
            assertThat(browser.number(band + "return (box.right - all.left) / all.width"))
                    .isCloseTo(finding.getValue()[1] / length, within(0.002));
        }
    }

    @Test
    void strips_atAMoment_showTheFiguresOfItsWindow() throws IOException {
        WindowSummary window = (WindowSummary) SampleRecordings.callerRuns().stream()
                .filter(each -> each instanceof WindowSummary && seconds(each) == 12)
                .findFirst()
                .orElseThrow();
        open("dispatcher");

        browser.script("picture.strips.read(12.5)");

        assertThat(browser.all(".readout").get(0).getText())
                .contains("queued " + window.load().queued(), "capacity 8");
        assertThat(browser.all(".readout").get(3).getText())
                .contains("by workers " + window.flow().orElseThrow().completed());
    }

    @Test
    void verdict_dispatcher_tellsTheStory() throws IOException {
        open("dispatcher");

        assertThat(browser.text("#verdicts"))
                .contains("dispatcher-runs-tasks", "main ran 6 tasks itself", "Let submitters wait");
        assertThat(browser.text("#legend"))
                .contains("submitter runs a task itself", "idle")
                .doesNotContain("lock");
    }

    @Test
    void verdict_nothingRecorded_saysThatNothingIsKnown() throws IOException {
        open("empty");

        assertThat(browser.text("#verdicts")).contains("Nothing is known").doesNotContain("No finding");
    }

    @Test
    void keys_zoomPanFindingsHelpSearch_doWhatTheHelpSays() throws IOException {
        open("crowd");
        double all = browser.number("return picture.axis.length");

        browser.press("+");
        assertThat(browser.number("return picture.axis.length")).isCloseTo(all / 2, within(1e-6));
        double from = browser.number("return picture.axis.from");
        browser.press(Keys.ARROW_RIGHT);
        assertThat(browser.number("return picture.axis.from")).isCloseTo(from + all / 20, within(1e-6));
        browser.press(Keys.ARROW_LEFT);
        assertThat(browser.number("return picture.axis.from")).isCloseTo(from, within(1e-6));
        browser.press("0");
        assertThat(browser.number("return picture.axis.length")).isCloseTo(all, within(1e-6));

        browser.press("n");
        assertThat(browser.text("#drawer-title")).isEqualTo("cpu-saturated");
        browser.press("n");
        assertThat(browser.text("#drawer-body"))
                .contains("index-17", "com.example.search.Cache.get(Cache.java:88)", "waiting", "24");
        browser.press(Keys.ESCAPE);
        assertThat(browser.find("#drawer").isDisplayed()).isFalse();

        browser.press("?");
        assertThat(browser.find("#help").isDisplayed()).isTrue();
        browser.press(Keys.ESCAPE);
        assertThat(browser.find("#help").isDisplayed()).isFalse();

        browser.press("/");
        browser.press("index-42");
        assertThat(browser.text("#found")).isEqualTo("1 lane");
        browser.press(Keys.ESCAPE);
        assertThat(browser.text("#found")).isEmpty();
    }

    @Test
    void keys_inLanes_readThemAloud() throws IOException {
        open("dispatcher");
        browser.script("document.querySelector('.scroller').focus()");

        browser.press(Keys.ARROW_DOWN);
        browser.press(Keys.ARROW_DOWN);
        browser.press(".");

        assertThat((String) browser.script("return document.querySelector('#live').textContent"))
                .contains("audit-1", " for ");
    }

    @Test
    void search_byPlaceAndKind_keepsLanesThatMatch() throws IOException {
        open("crowd");
        browser.press("/");
        browser.press("IndexDocument");
        assertThat(browser.text("#found")).isEqualTo("100 lanes");
        browser.press(Keys.ESCAPE);
        browser.press("/");
        browser.press("no such place");
        assertThat(browser.text("#found")).isEqualTo("0 lanes");
    }

    @Test
    void link_toMomentAndFinding_showsBothAndFollowsTheReader() throws IOException {
        open("crowd");
        String page = browser.driver().getCurrentUrl().replaceAll("#.*", "");
        browser.driver().get("about:blank");

        browser.driver().get(page + "#t=5-10&finding=1");
        browser.awaitDrawn();

        assertThat(browser.number("return picture.axis.from")).isCloseTo(5, within(1e-3));
        assertThat(browser.number("return picture.axis.to")).isCloseTo(10, within(1e-3));
        assertThat(browser.text("#drawer-title")).isEqualTo("lock-contention");
        browser.press(Keys.ESCAPE);
        browser.press("+");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(browser.driver().getCurrentUrl()).endsWith("#t=6.25-8.75"));
    }

    @Test
    void pointer_dragAndWheel_moveAndZoom() throws IOException {
        open("dispatcher");
        browser.script("picture.axis.show(10, 20)");
        browser.awaitDrawn();
        double[] place = place("audit-3", 15);

        new Actions(browser.driver())
                .moveToLocation((int) place[0], (int) place[1])
                .clickAndHold()
                .moveByOffset(-100, 0)
                .release()
                .perform();
        browser.awaitDrawn();
        assertThat(browser.number("return picture.axis.from")).isGreaterThan(10.5);
        assertThat(browser.number("return picture.axis.length")).isCloseTo(10, within(1e-6));

        browser.script("""
                const ruler = document.querySelector('#ruler');
                const turn = { deltaY: -100, clientX: 700, bubbles: true, cancelable: true };
                ruler.dispatchEvent(new WheelEvent('wheel', turn));
                """);
        browser.awaitDrawn();
        assertThat(browser.number("return picture.axis.length")).isLessThan(9);
    }

    @Test
    void names_hostile_stayText() throws IOException {
        open("hostile");
        browser.press("n");
        double[] place = place(SampleRecordings.EVIL, 0.5);
        new Actions(browser.driver())
                .moveToLocation((int) place[0], (int) place[1])
                .perform();

        assertThat(browser.driver().getTitle()).isEqualTo("Hostile");
        assertThat(browser.all("img, script[src]")).isEmpty();
        assertThat(browser.text("#drawer-body")).contains("</script><script>document.title='owned'</script>");
        assertThat(browser.console()).isEmpty();
        browser.keepScreenshot("hostile");
    }

    @Test
    void page_ofThousandWorkersAndOneHour_isBelowFiveMegabytesAndShowsAllLanes() throws IOException {
        Path file = browser.open("large", PoolReport.of("Large", SampleRecordings.large(1000, 3600)));

        assertThat(Files.size(file)).isLessThan(5_000_000);
        assertThat(Files.readString(file, StandardCharsets.UTF_8)).doesNotContain("requests-17");
        browser.press("e");
        assertThat(browser.number("return picture.groups[0].lanes.rows.length")).isEqualTo(1000);
        // with a scroll bar too, lanes end where the time axis ends
        assertThat(browser.number("return picture.groups[0].lanes.canvas.getBoundingClientRect().right"))
                .isEqualTo(browser.number("return document.querySelector('#ruler').getBoundingClientRect().right"));
        browser.keepScreenshot("large-expanded");
    }
}
