package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.schema.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolReportTest {

    private static final long SECOND = 1_000_000_000;
    private static final String EVIL = "</script><script>alert('\"\\\u2028\ud800')</script>${script}";

    private static WindowSummary window(long second, OptionalDouble cpu) {
        return window(second, cpu, OptionalLong.empty());
    }

    private static WindowSummary window(long second, OptionalDouble cpu, OptionalLong throttledNanos) {
        return new WindowSummary(
                second * SECOND,
                SECOND,
                "pool",
                new Load(4, 3, OptionalInt.of(4), OptionalInt.empty(), OptionalInt.of(7), OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(Doing.COMPUTING, 2.5, Doing.UNKNOWN, 1.5),
                "OWN_TASKS",
                new Process(2, cpu, OptionalDouble.empty(), OptionalLong.empty(), throttledNanos),
                Optional.empty(),
                "");
    }

    private static FindingChange news(long second, Change change, String severity, String summary) {
        return new FindingChange(
                second * SECOND,
                "pool",
                change,
                "the pool ended",
                "stuck-task",
                severity,
                second * SECOND,
                summary,
                "",
                Map.of("stack", EVIL),
                List.of(),
                "",
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> pool(Observation... recording) {
        Map<String, Object> columns = RecordingColumns.of(new Part("", List.of(recording)), 1000);
        return ((List<Map<String, Object>>) columns.get("pools")).get(0);
    }

    private static String json(String html) throws IOException {
        String packed = group("<script type=\"application/octet-stream\" id=\"recording\">([^<]*)</script>", html);
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String group(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pattern));
    }

    @Test
    void html_hostileNames_areNowhereInTheMarkup() throws IOException {
        String html = PoolReport.of(
                        EVIL,
                        List.of(
                                new WorkerSample(0, EVIL, EVIL, Doing.COMPUTING, EVIL, EVIL, EVIL),
                                news(1, Change.RAISED, EVIL, EVIL)))
                .html();

        assertThat(html).doesNotContain("alert(");
        assertThat(html.split("<script", -1)).hasSize(1 + 3);
        assertThat(json(html)).contains("alert('\\\"\\\\\u2028\\uD800')");
    }

    @Test
    void html_policy_allowsItsOwnScriptsAndStyleOnly() throws Exception {
        String html = PoolReport.of("title", List.of()).html();
        String policy = group("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"", html);
        List<String> parts = new ArrayList<>();
        parts.add(group("<style>(.*?)</style>", html));
        Pattern.compile("<script(?: type=\"module\")?>(.*?)</script>", Pattern.DOTALL)
                .matcher(html)
                .results()
                .map((MatchResult found) -> found.group(1))
                .forEach(parts::add);

        assertThat(parts).hasSize(3);
        assertThat(policy)
                .startsWith("default-src 'none'")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        for (String part : parts) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(part.getBytes(StandardCharsets.UTF_8));
            assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
        }
        assertThat(parts.get(2)).doesNotContainPattern("(?m)^(import|export) ");
    }

    @Test
    void write_directoryThatIsMissing_namesIt(@TempDir Path directory) throws IOException {
        PoolReport report = PoolReport.of("title", List.of(window(0, OptionalDouble.of(1))));
        Path file = directory.resolve("pool.html");

        report.write(file);
        report.write(file);

        assertThat(Files.readString(file)).isEqualTo(report.html());
        assertThatThrownBy(() -> report.write(directory.resolve("none/pool.html")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none");
    }

    @Test
    @SuppressWarnings("unchecked")
    void windows_gapAndUnknownFigures_areNullNotZero() {
        Map<String, Object> columns = RecordingColumns.of(
                new Part("", List.of(window(5, OptionalDouble.empty()), window(0, OptionalDouble.of(1.5)))), 1000);
        Map<String, Object> process = (Map<String, Object>) columns.get("process");
        Map<String, Object> windows = (Map<String, Object>)
                ((List<Map<String, Object>>) columns.get("pools")).get(0).get("windows");

        // a window, the gap, a window, the end
        assertThat((long[]) windows.get("t")).containsExactly(0, 10_000, 40_000, 10_000);
        assertThat(Json.forPage(process.get("cpu"))).isEqualTo("[1.5,null,null,null]");
        assertThat(Json.forPage(windows.get("throughput"))).isEqualTo("[null,null,null,null]");
        assertThat(Json.forPage(windows.get("capacity"))).isEqualTo("[null,null,null,null]");
        assertThat(Json.forPage(windows.get("queued"))).isEqualTo("[7,null,7,null]");
        assertThat(Json.forPage(windows.get("shares")))
                .as("no more computing than the process did, where that is known")
                .startsWith("[[1.5,null,2.5,null],[0,null,0,null]");
    }

    /** The system counts a stop when it ends, perhaps in the window after. */
    @Test
    @SuppressWarnings("unchecked")
    void process_stoppedForLongerThanTheWindow_isStoppedForAllOfIt() {
        WindowSummary window = window(0, OptionalDouble.empty(), OptionalLong.of(1_170_000_000));
        Map<String, Object> process = (Map<String, Object>)
                RecordingColumns.of(new Part("", List.of(window)), 1000).get("process");

        assertThat(Json.forPage(process.get("throttled"))).isEqualTo("[100,null]");
    }

    @Test
    void look_thatIsNotRepeated_holdsForFiveSeconds() {
        WorkerSample look = new WorkerSample(SECOND / 2, "pool", "worker-1", Doing.IDLE, "", "", "");
        Observation[] recording = new Observation[11];
        recording[0] = look;
        for (int second = 0; second < 10; second++) {
            recording[second + 1] = window(second, OptionalDouble.empty());
        }

        assertThat(packed(recording)).isEqualTo(segments(5_000, 50_000));
        assertThat(packed(look, recording[1], new Rejection(20 * SECOND, "other", "main", "")))
                .as("no window follows")
                .isEqualTo(segments(5_000, 50_000));
    }

    @SuppressWarnings("unchecked")
    private static Object packed(Observation... recording) {
        List<Map<String, Object>> workers =
                (List<Map<String, Object>>) pool(recording).get("workers");
        return workers.get(0).get("s");
    }

    /** One idle time that begins and lasts so many ticks. */
    private static String segments(long begin, long length) {
        Vlq text = new Vlq();
        text.add(begin);
        text.add(Segments.stateOf(Doing.IDLE));
        text.add(0);
        text.add(length);
        text.add(Segments.NOTHING);
        text.add(0);
        return text.toString();
    }

    @Test
    @SuppressWarnings("unchecked")
    void findings_raisedUpdatedEndedRaised_areTwoSpansWithTheLatestNews() {
        List<Map<String, Object>> findings = (List<Map<String, Object>>) pool(
                        window(0, OptionalDouble.empty()),
                        news(6, Change.RAISED, "INFO", "again"),
                        news(1, Change.RAISED, "WARNING", "first"),
                        news(2, Change.UPDATED, "CRITICAL", "worse"),
                        news(4, Change.ENDED, "CRITICAL", "worse"))
                .get("findings");

        assertThat(findings).hasSize(2);
        assertThat(findings.get(0))
                .containsEntry("from", 10_000L)
                .containsEntry("news", 20_000L)
                .containsEntry("to", 40_000L)
                .containsEntry("severity", "CRITICAL")
                .containsEntry("summary", "worse")
                .containsEntry("how", "the pool ended");
        assertThat(findings.get(1)).containsEntry("from", 60_000L).containsEntry("to", null);
    }

    @Test
    @SuppressWarnings("unchecked")
    void findings_overSeveralWindows_haveTheSumsOfAllOfThem() {
        List<Map<String, Object>> findings = (List<Map<String, Object>>) pool(
                        flow(0, 50, 1),
                        flow(1, 60, 2),
                        flow(2, 70, 3),
                        flow(3, 80, 4),
                        new CallerRun(-SECOND / 2, 4 * SECOND, "pool", "main", 1), // counts in the second window
                        news(1, Change.RAISED, "WARNING", "first"),
                        news(3, Change.ENDED, "WARNING", "first"))
                .get("findings");

        assertThat((Map<String, Object>) findings.get(0).get("whole"))
                .containsEntry("seconds", 2.0)
                .containsEntry("completed", 130L)
                .containsEntry("callerRuns", 5L)
                .containsEntry("callerRunSeconds", 2.0);
    }

    @Test
    @SuppressWarnings("unchecked")
    void lanes_poolThatHasEnded_endWithItsLastWindow() {
        Map<String, Object> lane = ((List<Map<String, Object>>) pool(
                                flow(0, 1, 0, "NONE", 0),
                                new WorkerSample(SECOND / 2, "pool", "w", Doing.SLEEPING, "", "", ""),
                                new WorkerSample(SECOND + 1, "pool", "w", Doing.SLEEPING, "", "", ""),
                                new Rejection(4 * SECOND, "pool", "main", "shut down"))
                        .get("workers"))
                .get(0);

        assertThat(SegmentsTest.numbers((String) lane.get("s")))
                .as("it sleeps from half a second to a second, in ticks of 0.1 ms")
                .startsWith(5000L, (long) Segments.stateOf(Doing.SLEEPING))
                .contains(5000L, (long) Segments.NOTHING);
    }

    /** At the present size of 2 the curve says 10 tasks a second. */
    @Test
    void curve_contradictedByWhatWasMeasured_isNotDrawn() {
        assertThat(pool(flow(0, 10, 0)).get("curve")).isNotNull();
        Map<String, Object> contradicted = pool(flow(0, 6, 0));

        assertThat(contradicted.get("curve")).isNull();
        assertThat(contradicted.get("noCurve")).isEqualTo(List.of(2, 10.0, 6.0));
    }

    /** The line is what a reader compares with the point, so the width of its interval excuses nothing. */
    @Test
    void curve_farFromThePointButWithinItsInterval_isNotDrawn() {
        assertThat(pool(flow(0, 8, 0, "CPU", 2, new Point(2, 10, 5, 20, 200_000_000))))
                .containsEntry("curve", null)
                .containsEntry("noCurve", List.of(2, 10.0, 8.0));
        assertThat(pool(flow(0, 9, 0, "CPU", 2, new Point(2, 10, 5, 20, 200_000_000)))
                        .get("curve"))
                .isNotNull();
    }

    @Test
    void curve_otherBottleneckWasDecided_isNotDrawnAndThePageSaysWhat() {
        assertThat(pool(flow(0, 10, 0, "CPU"), flow(1, 10, 0, "LINE")))
                .containsEntry("curve", null)
                .containsEntry("noCurve", "LINE");
        assertThat(pool(flow(0, 10, 0, "NONE"), flow(1, 10, 0, "UNKNOWN")))
                .as("no bottleneck was decided")
                .containsEntry("curve", null)
                .doesNotContainKey("noCurve");
    }

    @Test
    @SuppressWarnings("unchecked")
    void curve_severalBottlenecks_isDrawnWithThePointsOfTheLastDecision() {
        Map<String, Object> curve =
                (Map<String, Object>) pool(flow(0, 3, 0, "DISPATCHER"), flow(1, 10, 0, "CPU"), flow(2, 1, 0, "UNKNOWN"))
                        .get("curve");

        assertThat(curve).containsEntry("measured", List.of(List.of(2, 10.0)));
    }

    private static WindowSummary flow(int second, long completed, long callerRuns) {
        return flow(second, completed, callerRuns, "CPU");
    }

    private static WindowSummary flow(int second, long completed, long callerRuns, String bottleneck) {
        return flow(second, completed, callerRuns, bottleneck, 2);
    }

    private static WindowSummary flow(int second, long completed, long callerRuns, String bottleneck, int size) {
        return flow(second, completed, callerRuns, bottleneck, size, new Point(2, 10, 9.5, 10.5, 200_000_000));
    }

    private static WindowSummary flow(
            int second, long completed, long callerRuns, String bottleneck, int size, Point now) {
        return new WindowSummary(
                second * SECOND,
                SECOND,
                "pool",
                new Load(size, size, OptionalInt.of(2), OptionalInt.of(2), OptionalInt.of(5), OptionalInt.of(8)),
                Optional.of(new Flow(completed, completed, 0, 0, callerRuns)),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                bottleneck,
                new Process(
                        2, OptionalDouble.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.of(new Curve(2, OptionalInt.of(4), List.of(now, new Point(4, 20, 19, 21, 200_000_000)))),
                "");
    }

    /** The latest window counts: the threads of a pool may be found later than the pool. */
    @Test
    void blind_ofTheLatestWindow_isTold() {
        assertThat(pool(blind(0, "its threads may be any"), window(1, OptionalDouble.empty()))
                        .get("blind"))
                .isEqualTo("");
        assertThat(pool(window(0, OptionalDouble.empty()), blind(1, EVIL)).get("blind"))
                .isEqualTo(EVIL);
    }

    private static WindowSummary blind(int second, String why) {
        WindowSummary seen = window(second, OptionalDouble.empty());
        return new WindowSummary(
                seen.startNanos(),
                seen.durationNanos(),
                seen.pool(),
                seen.load(),
                seen.flow(),
                seen.queueWait(),
                seen.serviceTime(),
                seen.shares(),
                seen.bottleneck(),
                seen.process(),
                seen.curve(),
                why);
    }

    @Test
    void names_ofWorkers_areOrderedByNumber() {
        List<String> names = new ArrayList<>(List.of("w-10", "w-9", "w", "v-11", "w-1"));
        names.sort(PoolColumns::compareNames);

        assertThat(names).containsExactly("v-11", "w", "w-1", "w-9", "w-10");
    }

    @Test
    void json_otherTypes_areRefused() {
        assertThat(Json.forPage(Arrays.asList("a\"\\\n\ud83d", 1, 2L, 0.123456, Double.NaN, true, null, Map.of())))
                .isEqualTo("[\"a\\\"\\\\\\n\\uD83D\",1,2,0.1235,null,true,null,{}]");
        assertThatThrownBy(() -> Json.forPage(Optional.of(1))).hasMessageContaining("java.util.Optional");
    }

    @Test
    void library_vendored_hasTheBytesOfItsRelease() throws Exception {
        Map<String, String> sums = new HashMap<>();
        for (String line : Page.resource("uPlot.sha256").lines().toList()) {
            sums.put(line.substring(66), line.substring(0, 64));
        }
        assertThat(sums).containsOnlyKeys(Page.LIBRARY, Page.LIBRARY_STYLE, "uPlot-LICENSE.txt");
        for (Map.Entry<String, String> sum : sums.entrySet()) {
            byte[] bytes = Page.resource(sum.getKey()).getBytes(StandardCharsets.UTF_8);
            assertThat(java.util.HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                    .as(sum.getKey())
                    .isEqualTo(sum.getValue());
        }
        assertThat(sums)
                .containsEntry(Page.LIBRARY, "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f");
    }
}
