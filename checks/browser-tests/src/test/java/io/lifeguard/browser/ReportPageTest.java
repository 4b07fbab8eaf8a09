package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.report.drawing.PoolReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
            case "uncounted" -> PoolReport.of("Uncounted", SampleRecordings.uncounted());
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
    void drawer_onANarrowPage_leavesTheNewestPartInView() throws IOException {
        browser.resize(800, 1000);
        open("crowd");
        browser.press("n");
        browser.script("document.querySelector('#lanes').scrollIntoView()");

        assertThat(browser.find("#drawer").isDisplayed()).isTrue();
        browser.keepScreenshot("crowd-drawer-800");
        assertThat((Boolean) browser.script("""
                const lanes = document.querySelector('.scroller').getBoundingClientRect();
                const newest = document.elementFromPoint(lanes.right - 30, lanes.top + 40);
                return newest.closest('.scroller') !== null;
                """)).isTrue();
        assertThat(browser.violations()).isEmpty();
    }

    /** Whole, then with the band at the left, and then with the band at the right. */
    @ParameterizedTest
    @ValueSource(strings = {"0, 20", "13, 20", "0, 7"})
    void names_ofFindingsOnAPhone_endWithTheLanes(String span) throws IOException {
        browser.driver()
                .executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", false));
        try {
            open("crowd");
            browser.script("picture.axis.show(" + span + ")");
            browser.awaitDrawn();
            browser.keepScreenshot("crowd-390");

            assertThat(browser.number("""
                    return [...document.querySelectorAll('.band')].filter((band) => {
                      const name = band.firstElementChild.getBoundingClientRect();
                      const lanes = band.parentElement.getBoundingClientRect();
                      return band.style.display !== 'none' && name.width >= 60
                        && lanes.left <= name.left && name.right <= lanes.right;
                    }).length;
                    """)).isEqualTo(2);
        } finally {
            browser.driver().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /** The page gets a scroll bar while it is drawn. */
    @Test
    void lanes_asOpened_endWithTheTimeAxis() throws IOException {
        open("crowd");

        assertThat(browser.number("return picture.groups[0].lanes.canvas.getBoundingClientRect().right"))
                .isEqualTo(browser.number("return document.querySelector('#ruler').getBoundingClientRect().right"));
    }

    /** Whoever cannot tell two colours from each other, or prints without colours, sees the hatching. */
    @Test
    void lanes_ofAHatchedCause_haveBothItsColours() throws IOException {
        open("crowd");

        for (String colour : List.of("230,159,0", pale("230,159,0"))) {
            assertThat(browser.number("""
                    const { canvas } = picture.groups[0].lanes;
                    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                    let found = 0;
                    for (let i = 0; i < data.length; i += 4) {
                      found += [data[i], data[i + 1], data[i + 2]].join() === arguments[0] ? 1 : 0;
                    }
                    return found;
                    """, colour)).as(colour).isGreaterThan(10_000);
        }
        assertThat(browser.all("#legend i.hatch")).isNotEmpty();
    }

    @Test
    void verdict_anyFinding_sumsOverTheTimeInWhichItStood() throws IOException {
        open("dispatcher");
        assertThat(browser.text(".verdict .summary"))
                .matches("In [0-9.]+ (s|min) submitters ran [0-9,.]+ tasks themselves for .* of one thread's time; .*");
        assertThat(browser.text(".verdict .lately")).startsWith("At first: main ran 6 tasks itself");

        open("crowd");
        assertThat(browser.text(".verdict .origin")).contains("lock-contention");
        assertThat(browser.text(".verdict .lately")).startsWith("Lately: 31.0 of 100 workers wait");
        assertThat(browser.text(".verdict .summary"))
                .matches(
                        "In [0-9.]+ (s|min) workers did [0-9,.]+ tasks and waited for a lock for [0-9]+.% of their busy time[.]");
        openFinding("cpu-saturated");
        assertThat(browser.text("#drawer-body")).contains("workers did");
    }

    @Test
    void verdict_nothingCounted_saysOnlyWhatIsKnown() throws IOException {
        open("uncounted");

        assertThat(browser.text(".verdict .summary")).isEqualTo("2 threads wait for each other forever.");
        assertThat(browser.all(".verdict .lately")).isEmpty();
        openFinding("event-loop-blocked");
        assertThat(browser.text("#drawer-body"))
                .contains("loops-1 waits for a lock")
                .doesNotContain("In 1");
        openFinding("lock-contention");
        assertThat(browser.text("#drawer-body"))
                .containsPattern("In 1[0-9.]+ s workers waited for a lock for 100.% of their busy time[.]");
    }

    private static void openFinding(String id) {
        browser.script("picture.openFinding(picture.groups.flatMap(({ pool }) => pool.findings)"
                + ".find((each) => each.id === '" + id + "'))");
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
                        .isIn(
                                colours.get(look.doing().ordinal()),
                                pale(colours.get(look.doing().ordinal())));
            }
        }
        assertThat(compared).isGreaterThan(1000);
    }

    /** The other colour of a hatched cause. */
    private static String pale(String colour) {
        return Stream.of(colour.split(",", -1))
                .map(part -> String.valueOf(Math.round(Integer.parseInt(part) * 0.45 + 255 * 0.55)))
                .collect(Collectors.joining(","));
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

        assertThat(browser.text("#tip")).contains(look.thread(), "computing", withoutPackage(look.place()));
    }

    private static String withoutPackage(String place) {
        return place.replaceAll("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])", "");
    }

    private static double[] place(String thread, double time) {
        return place(0, thread, time);
    }

    private static double[] place(int group, String thread, double time) {
        Object found = browser.script("""
            const { lanes } = picture.groups[arguments[2]];
            const row = lanes.rows.find((each) => each.lane && each.lane.n === arguments[0]);
            lanes.scroller.scrollIntoView({ block: 'center' });
            const box = lanes.scroller.getBoundingClientRect();
            const share = (arguments[1] - picture.axis.from) / picture.axis.length;
            return [box.left + 176 + share * (lanes.width - 176), box.top + row.top + row.height / 2];
            """, thread, time, group);
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
                .contains("queued " + window.load().queued().orElseThrow(), "capacity 8");
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

    // ---- from a moment to its stacks ----

    private static final long SECOND = 1_000_000_000L;

    /** Two workers in ten seconds: one waits for a lock that the other one holds, and from 5 s on both sleep. */
    private static List<Observation> lockAndSleep() {
        return lockAndSleep(0);
    }

    /** The same, seen from a second on. */
    private static List<Observation> lockAndSleep(int from) {
        List<WorkerLooks.Act> acts = List.of(
                new WorkerLooks.Act(
                        Doing.WAITING_FOR_LOCK, false, "com.example.Cache.get(Cache.java:8)", "lock@1", "w-2", 1),
                new WorkerLooks.Act(Doing.COMPUTING, true, "com.example.Cache.fill(Cache.java:9)", "", "", 2),
                new WorkerLooks.Act(Doing.SLEEPING, false, "com.example.Nap.rest(Nap.java:3)", "", "", 3));
        List<Observation> all = new ArrayList<>();
        all.add(new WorkerStack(
                0,
                "locks",
                1,
                List.of("java.lang.Object.wait()", "com.example.Cache.get(Cache.java:8)", "a.Main.run()")));
        all.add(new WorkerStack(0, "locks", 2, List.of("com.example.Cache.fill(Cache.java:9)", "a.Main.run()")));
        all.add(new WorkerStack(0, "locks", 3, List.of("com.example.Nap.rest(Nap.java:3)", "a.Main.run()")));
        if (from > 0) {
            all.add(new TaskRun(
                    0, SECOND, "locks", "w-1", "a.Early", OptionalLong.empty(), OptionalLong.empty(), false));
        }
        for (int second = from; second < 10; second++) {
            int first = second < 5 ? 0 : 2;
            int other = second < 5 ? 1 : 2;
            WorkerLooks looks = new WorkerLooks(
                    List.of(0L, SECOND / 2),
                    acts,
                    List.of(
                            worker("w-1", 0, List.of(first, first)),
                            worker("w-2", second < 5 ? SECOND : 0, List.of(other, other))));
            all.add(new PoolLooks(
                    second * SECOND,
                    SECOND,
                    "locks",
                    OptionalLong.of(2 * SECOND),
                    OptionalLong.of(second < 5 ? SECOND : 0),
                    OptionalLong.of(0),
                    second == from ? OptionalLong.of(4 * SECOND) : OptionalLong.empty(),
                    second == from ? OptionalLong.of(SECOND / 2) : OptionalLong.empty(),
                    2,
                    looks.text()));
            all.add(window(second * SECOND));
        }
        return all;
    }

    private static WindowSummary window(long start) {
        return window(start, 0);
    }

    private static WindowSummary window(long start, double othersShare) {
        return new WindowSummary(
                start,
                SECOND,
                "locks",
                new Load(2, 2, OptionalInt.of(2), OptionalInt.of(2), OptionalInt.of(5), OptionalInt.of(8)),
                Optional.of(new Flow(20, 20, 0, 0, 0)),
                Optional.empty(),
                Optional.empty(),
                Map.of(Doing.UNKNOWN, 2.0),
                "LOCK",
                new Process(
                        2,
                        OptionalDouble.of(1),
                        OptionalDouble.of(othersShare),
                        OptionalLong.empty(),
                        OptionalLong.empty()),
                Optional.empty(),
                "");
    }

    private static WorkerLooks.Worker worker(String name, long cpu, List<Integer> acts) {
        return new WorkerLooks.Worker(name, OptionalLong.of(cpu), OptionalLong.of(0), acts);
    }

    private void openLocks() throws IOException {
        browser.resize(1280, 1000);
        browser.open("locks", PoolReport.of("Locks", lockAndSleep()));
        browser.script("document.querySelector('#where').scrollIntoView()");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(browser.text("#where-figures")).contains("Tasks"));
    }

    private String rootOfFlames() {
        return (String) browser.script("""
                const names = (node, depth) => [...node.children.values()].map((each) =>
                  '>'.repeat(depth) + each.name + ' ' + each.value.toFixed(1) + ' ' + names(each, depth + 1)).join('');
                return names(picture.where.flame.root, 1);
                """);
    }

    @Test
    void flames_ofTheWholeRecording_haveCausesAndFramesWithTheirTime() throws IOException {
        openLocks();

        assertThat(rootOfFlames())
                .contains(
                        ">waiting for a lock 5.0 >>a.Main.run() 5.0 >>>com.example.Cache.get(Cache.java:8) 5.0"
                                + " >>>>java.lang.Object.wait() 5.0",
                        ">computing 5.0 >>a.Main.run() 5.0 >>>com.example.Cache.fill(Cache.java:9) 5.0",
                        ">sleeping 10.0");
        assertThat(browser.text("#where-places")).contains("Cache.get(Cache.java:8)", "5 s", "25 %");
        assertThat(browser.violations()).isEmpty();
        browser.keepScreenshot("locks-flames");
    }

    @Test
    void lanes_beforeTheFirstWindow_areNotRecordedAndSaySo() throws IOException {
        browser.open("unseen", PoolReport.of("Unseen", lockAndSleep(3)));
        Object sums = browser.driver().executeAsyncScript("""
                const done = arguments[0];
                const wait = () => (picture.where.shown ? done([...picture.where.shown.time]) : setTimeout(wait, 50));
                document.querySelector('#where').scrollIntoView();
                wait();
                """);

        assertThat(browser.text("#where-span"))
                .contains("Not recorded before 0:03.0")
                .contains("workers had run tasks for 4 s before it, submitters for 500 ms.");
        assertThat(browser.script("return picture.groups[0].lanes.describeBand(1).join()"))
                .asString()
                .contains("not recorded before 0:03.0");
        assertThat(browser.number("""
                const { lanes } = picture.groups[0];
                const top = (lanes.rows[0].top + 2) * window.devicePixelRatio;
                const pen = lanes.canvas.getContext('2d');
                const pixels = pen.getImageData(lanes.canvas.width * 0.3, top, 60, 1).data;
                return pixels.filter((part, i) => i % 4 === 3 && part > 0).length;
                """)).as("one of six pixels is hatched").isEqualTo(10);
        assertThat(((List<?>) Objects.requireNonNull(sums))
                        .stream()
                                .mapToDouble(each -> ((Number) each).doubleValue())
                                .sum())
                .as("two workers for seven seconds, without the task before them")
                .isCloseTo(14, within(0.1));
        browser.keepScreenshot("unseen");
    }

    @Test
    void band_fewLooksOnFullCpus_saysWhyWorkersAreUnknown() throws IOException {
        List<Observation> all = new ArrayList<>();
        for (int second = 0; second < 4; second++) {
            WorkerLooks looks = new WorkerLooks(
                    List.of(0L, SECOND / 2),
                    List.of(new WorkerLooks.Act(Doing.UNKNOWN, false, "", "", "", 0)),
                    List.of(worker("w-1", 0, List.of(0, 0)), worker("w-2", 0, List.of(0, 0))));
            all.add(new PoolLooks(
                    second * SECOND,
                    SECOND,
                    "locks",
                    OptionalLong.of(2 * SECOND),
                    OptionalLong.of(0),
                    OptionalLong.of(0),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    1,
                    looks.text()));
            all.add(window(second * SECOND, second < 2 ? 0.6 : 0));
        }
        all.add(new TaskRun(
                11 * SECOND, SECOND, "locks", "w-1", "a.Late", OptionalLong.empty(), OptionalLong.empty(), false));
        browser.open("few-looks", PoolReport.of("Few looks", all));

        assertThat(browser.script("return picture.groups[0].lanes.describeBand(1.5).join()"))
                .asString()
                .contains("unknown: 2 looks in 1 s, because the CPUs were full");
        assertThat(browser.script("return picture.groups[0].lanes.describeBand(2.5).join()"))
                .asString()
                .contains("unknown: 1 stack in 2 looks did not tell");
        assertThat(browser.script("return picture.groups[0].lanes.describeBand(8).join()"))
                .asString()
                .contains("not recorded after 0:04.0: the monitor got too little CPU to end another window");
        assertThat(browser.text("#verdicts"))
                .contains("No finding, but not all of the time was judged: the monitor got too little CPU.");
        browser.keepScreenshot("few-looks");
    }

    @Test
    void selection_ofAPart_hasItsFiguresAndTheDifferenceToAnother() throws IOException {
        openLocks();
        browser.script("picture.select({ from: 0, to: 5 })");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(rootOfFlames()).doesNotContain("sleeping"));
        assertThat(browser.text("#where-figures")).contains("computing", "5 s, 50 %", "Tasks", "100 tasks", "20 /s");

        browser.find("#keep-before").click();
        browser.script("picture.select({ from: 5, to: 10 })");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(browser.text("#where-figures")).contains("+100 points", "−50 points"));
        assertThat(browser.text("#flame-words"))
                .contains("No longer there: ", "waiting for a lock (50 points)", "computing (50 points)");
        browser.keepScreenshot("locks-difference");
        browser.press(Keys.ESCAPE);
        assertThat(browser.find("#range").isDisplayed()).isFalse();
    }

    @Test
    void legend_clicked_fadesTheCauseAndLeavesItOut() throws IOException {
        openLocks();
        browser.script("document.querySelectorAll('#legend button')[1].click()");
        browser.script("document.querySelector('#lanes').scrollIntoView()"); // lanes out of sight are not drawn

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(rootOfFlames()).doesNotContain("waiting for a lock");
            assertThat(pixel("w-1", 2.3)).isEqualTo("241,243,245"); // drawn in the next frame
        });
        assertThat(pixel("w-2", 2.3)).isEqualTo("0,158,115");
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void arrow_overAWait_leadsToTheHolder() throws IOException {
        openLocks();
        double[] waiter = place("w-1", 2);
        new Actions(browser.driver())
                .moveToLocation((int) waiter[0], (int) waiter[1])
                .perform();

        assertThat((Boolean) browser.script("return document.querySelector('#arrow').hidden"))
                .isFalse();
        assertThat(browser.number("return document.querySelector('#arrow').getBoundingClientRect().bottom"))
                .isCloseTo(place("w-2", 2)[1], within(3.0));
        assertThat(browser.text("#tip")).contains("held by w-2", "looks in");
    }

    @Test
    void arrow_holderFarOutOfSight_leadsToTheEdgeAndAButtonShowsItsLane() throws IOException {
        List<WorkerLooks.Act> acts = List.of(
                new WorkerLooks.Act(Doing.WAITING_FOR_LOCK, false, "a.B.c(B.java:1)", "a.Lock@1", "w-499", 0),
                new WorkerLooks.Act(Doing.COMPUTING, false, "a.B.d(B.java:2)", "", "", 0));
        List<WorkerLooks.Worker> workers = IntStream.range(0, 500)
                .mapToObj(i -> worker("w-" + i, 0, List.of(i == 0 ? 0 : 1, i == 0 ? 0 : 1)))
                .toList();
        WorkerLooks looks = new WorkerLooks(List.of(0L, SECOND / 2), acts, workers);
        PoolLooks seen = new PoolLooks(
                0,
                SECOND,
                "locks",
                OptionalLong.of(500 * SECOND),
                OptionalLong.of(0),
                OptionalLong.of(0),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                looks.text());
        browser.open("far", PoolReport.of("Far", List.of(seen, window(0))));
        browser.script("picture.groups[0].lanes.toggle()");
        double[] waiter = place("w-0", 0.5);
        new Actions(browser.driver())
                .moveToLocation((int) waiter[0], (int) waiter[1])
                .click()
                .perform();

        assertThat(browser.text("#tip")).contains("held by w-499 at ");
        assertThat((Boolean) browser.script("return document.querySelector('#arrow').hidden"))
                .isFalse();
        browser.find("#drawer-body button").click();
        assertThat(browser.script("return picture.groups[0].lanes.selected.n")).isEqualTo("w-499");
        assertThat(browser.number("return picture.groups[0].lanes.scroller.scrollTop"))
                .isGreaterThan(4000);
        assertThat(browser.violations()).isEmpty();
    }

    /** Otherwise its unnamed threads share a lane, far from the band of what they wait for. */
    @Test
    void lanes_ofAVirtualThreadExecutor_areOneBandBelowIt() throws IOException {
        List<Observation> all = new ArrayList<>(lockAndSleep());
        all.add(new TaskRun(0, SECOND, "web", "", "a.Request", OptionalLong.empty(), OptionalLong.empty(), false));
        List<WorkerLooks.Act> acts = List.of(new WorkerLooks.Act(Doing.WAITING_FOR_LOCK, false, "", "", "", 0));
        WorkerLooks looks = new WorkerLooks(List.of(0L), acts, List.of(worker("2 % of the threads, 1", 0, List.of(0))));
        all.add(new PoolLooks(
                0,
                SECOND,
                "web (virtual threads)",
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                looks.text()));
        browser.open("virtual", PoolReport.of("Virtual", all));

        assertThat(browser.script("return picture.groups.map((each) => each.pool.name"
                        + " + ': ' + each.lanes.rows.filter((row) => row.lane).length).join(', ')"))
                .asString()
                .contains("web: 0, web (virtual threads): 1");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void picture_saved_hasTheLegend() throws IOException {
        openLocks();

        assertThat(browser.script("""
                const image = picture.image();
                const marks = [...document.querySelectorAll('#legend i')];
                const head = document.querySelector('#legend').getBoundingClientRect();
                return marks.every((mark) => {
                  const at = mark.getBoundingClientRect();
                  const [x, y] = [at.left - head.left + 3, at.top - head.top + 3].map((each) => each * devicePixelRatio);
                  const pixel = [...image.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3);
                  const color = getComputedStyle(mark).getPropertyValue('--mark').slice(1);
                  return pixel.every((part, i) => part === parseInt(color.slice(2 * i, 2 * i + 2), 16));
                }) && marks.length > 2;
                """)).isEqualTo(true);
        browser.keepScreenshot("locks-page");
    }

    @Test
    void tooltip_overAnUnknownPart_saysWhyItIsUnknown() throws IOException {
        List<WorkerLooks.Act> acts = List.of(new WorkerLooks.Act(Doing.UNKNOWN, false, "", "", "", 0));
        WorkerLooks looks = new WorkerLooks(List.of(0L, SECOND / 2), acts, List.of(worker("w-1", 0, List.of(0, 0))));
        PoolLooks seen = new PoolLooks(
                0,
                SECOND,
                "locks",
                OptionalLong.of(SECOND),
                OptionalLong.of(0),
                OptionalLong.of(0),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                looks.text());
        browser.open("unknown", PoolReport.of("Unknown", List.of(seen, window(0))));
        double[] part = place("w-1", 0.25);
        new Actions(browser.driver())
                .moveToLocation((int) part[0], (int) part[1])
                .perform();

        assertThat(browser.text("#tip")).contains("unknown", "2 looks, but no stack was taken");
    }

    @Test
    void click_onAMomentInALane_opensItsStack() throws IOException {
        openLocks();
        double[] waiter = place("w-1", 2);
        new Actions(browser.driver())
                .moveToLocation((int) waiter[0], (int) waiter[1])
                .click()
                .perform();

        assertThat(browser.text("#drawer-title")).isEqualTo("w-1");
        assertThat(browser.text("#drawer-body pre").lines())
                .containsExactly("java.lang.Object.wait()", "com.example.Cache.get(Cache.java:8)", "a.Main.run()");
        assertThat(browser.text("#drawer-body pre strong"))
                .as("its place")
                .isEqualTo("com.example.Cache.get(Cache.java:8)");
        new Actions(browser.driver()).moveToLocation(2, 2).perform(); // so that the tooltip goes
        assertThat(browser.violations()).isEmpty();

        browser.press(Keys.ESCAPE);
        browser.script("document.querySelector('.scroller').focus(); picture.cursor = 7");
        browser.press(Keys.ARROW_DOWN, Keys.ENTER);
        assertThat(browser.text("#drawer-body pre").lines())
                .containsExactly("com.example.Nap.rest(Nap.java:3)", "a.Main.run()");
    }

    @Test
    void arrow_inAComparison_staysInItsRecording() throws IOException {
        browser.open("compared-locks", PoolReport.comparing("Locks", "A", lockAndSleep(), "B", lockAndSleep()));
        double[] waiter = place(1, "w-1", 2);
        new Actions(browser.driver())
                .moveToLocation((int) waiter[0], (int) waiter[1])
                .perform();

        assertThat(browser.number("return document.querySelector('#arrow').getBoundingClientRect().bottom"))
                .isCloseTo(place(1, "w-2", 2)[1], within(3.0));
    }

    @Test
    void search_byPlace_countsMatchesAndTheirShare() throws IOException {
        openLocks();
        browser.press("/");
        browser.press("Cache.get");

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(browser.text("#found")).isEqualTo("1 lane, 1 place with 25 % of the busy time"));
    }

    @Test
    void link_toASelectionAndASearch_showsBoth() throws IOException {
        openLocks();
        String page = browser.driver().getCurrentUrl().replaceAll("#.*", "");
        browser.driver().get("about:blank");
        browser.driver().get(page + "#selected=1-3&search=Cache.get&band=0");
        browser.awaitDrawn();

        assertThat(browser.number("return picture.selection.to")).isEqualTo(3);
        assertThat(browser.find("#range").isDisplayed()).isTrue();
        assertThat(browser.text("#found")).startsWith("1 lane");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(browser.driver().getCurrentUrl())
                        .contains("selected=1-3", "search=Cache.get", "band=0"));
    }

    @Test
    void trace_ofASelection_hasItsLanesAsEvents() throws IOException {
        openLocks();
        String events = (String) browser.script("""
                return picture.trace(1, 2).traceEvents
                  .map((each) => [each.ph, each.name, each.tid, each.ts, each.dur].join(' ')).join(';');
                """);

        assertThat(events)
                .contains("M process_name", "X waiting for a lock 1 0 1000000", "X computing 2 0 1000000", "C queued");
        assertThat(browser.number("return picture.image().width")).isGreaterThan(500);
        assertThat(browser.console()).isEmpty();
    }

    /** A wait that goes on from one task to the next lies in neither of them. */
    @Test
    void trace_ofTasksBackToBack_hasNoTrackWhoseSlicesCross() throws IOException {
        List<Observation> recording = new ArrayList<>(lockAndSleep());
        for (int task = 0; task < 9; task++) {
            recording.add(new TaskRun(
                    task * SECOND * 11 / 10,
                    SECOND * 11 / 10,
                    "locks",
                    "w-1",
                    "a.Early",
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    false));
        }
        browser.open("traced", PoolReport.of("Traced", recording));
        Object crossings = browser.script("""
                const { traceEvents } = picture.trace(0, 10);
                const names = new Map(traceEvents.filter(({ name }) => name === 'thread_name')
                  .map((each) => [each.tid, each.args.name]));
                const crossings = (trackOf) => {
                  const slices = traceEvents.filter(({ ph }) => ph === 'X')
                    .map((each) => ({ track: trackOf(each), from: each.ts, to: each.ts + each.dur }));
                  return slices.flatMap((one) => slices.filter((other) => one.track === other.track
                    && one.from < other.from && other.from < one.to && one.to < other.to)).length;
                };
                const lane = (each) => names.get(each.tid).replace(' · tasks', '');
                return [[...names.values()].join(), crossings((each) => each.tid), crossings(lane) > 0];
                """);

        assertThat(crossings).as("on one track they would cross").isEqualTo(List.of("w-1,w-1 · tasks,w-2", 0L, true));
    }
}
