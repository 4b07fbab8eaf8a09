package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.recording.JudgedWindow.Entry;
import io.lifeguard.pool.recording.Observation.WindowEvidence;
import io.lifeguard.pool.tools.recording.EvidenceReader;
import io.lifeguard.pool.tools.recording.RecordParser;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The evidence of a window is read back as it was written, however it was compressed. */
class EvidenceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<StackTraceElement> STACK = List.of(
            new StackTraceElement("app", null, null, "a.B", "c", "B.java", 3),
            new StackTraceElement(null, "java.base", "17", "java.lang.Thread", "run", null, -2));

    private final EvidenceWriter writer = new EvidenceWriter();
    private final EvidenceReader reader = new EvidenceReader();

    @Test
    void read_windowWithAllThatCanBeKnown_isEqual() throws Exception {
        JudgedWindow written = full(Observations.HOSTILE + '\ud800');

        JudgedWindow read = reader.read(writer.write(written, 1)).orElseThrow();

        assertThat(read.before().toTable()).isEqualTo(written.before().toTable());
        assertThat(read.after().toTable()).isEqualTo(written.after().toTable());
        assertThat(read.after().unseenFailures()).isEqualTo(written.after().unseenFailures());
        assertThat(read.state()).isEqualTo(written.state());
        assertThat(read.mayRaise()).isFalse();
        assertThat(read.scheduler()).isTrue();
        assertThat(read.window().freeHeap()).hasValue(7_000_000_000L);
        assertThat(read.workers()).isEqualTo(written.workers());
        assertThat(read.breakdown()).isEqualTo(written.breakdown());
        assertThat(read.process()).isEqualTo(written.process());
        assertThat(read.eventLoop()).isEqualTo(written.eventLoop());
        assertThat(read.thresholds()).isEqualTo(written.thresholds());
        assertThat(read.waitsOfOthers()).isEqualTo(written.waitsOfOthers());
        assertThat(read.after().saturation()).isEqualTo(written.after().saturation());
        PoolWindow window = read.window();
        assertThat(window.serviceTime()).isEqualTo(written.window().serviceTime());
        assertThat(window.after().serviceTime().percentile(0.5))
                .isEqualTo(written.after().serviceTime().percentile(0.5));
        assertThat(window.after()
                        .serviceTime()
                        .since(window.before().serviceTime())
                        .count())
                .isEqualTo(3);
        assertThat(window.end()).isEqualTo(written.end());
        assertThat(window.pool()).isEqualTo(Observations.HOSTILE + '\ud800');
    }

    /** A file may hold anything, and its reader counts what it cannot read. */
    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"app\"]", "[null,null,null,\"a.B\",\"c\",null,\"x\"]", "{}", "7", "[{}]"})
    void read_frameThatIsNone_isRefused(String frame) {
        String text = "{\"frame\":" + frame + "}";

        assertThatThrownBy(() -> RecordParser.read(text, WithFrame.class)).isInstanceOf(IllegalArgumentException.class);
    }

    private record WithFrame(StackTraceElement frame) {}

    @Test
    void read_windowWithNothingKnown_staysUnknown() {
        PoolSnapshot snapshot = PoolSnapshot.builder("p").build();
        PoolWindow nothing = PoolWindow.between(snapshot, snapshot).build();

        PoolWindow read =
                reader.read(writer.write(judged(nothing), 1)).orElseThrow().window();

        assertThat(read.isMeasured()).isFalse();
        assertThatThrownBy(() -> read.after().serviceTime().mean()).hasMessageContaining("watched from outside");
        assertThat(read.process()).isEqualTo(nothing.process());
        assertThat(read.workerTimes()).isEmpty();
        assertThat(read.eventLoop()).isEmpty();
    }

    @Test
    void write_manyWindows_mostBuildOnOneThatIsComplete() throws Exception {
        JudgedWindow window = full("p");
        List<WindowEvidence> all = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            all.add(writer.write(window, i));
        }

        assertThat(all.stream().filter(each -> each.base().isEmpty())).hasSizeBetween(2, 4);
        assertThat(all.get(1).content().length())
                .isLessThan(all.get(0).content().length() / 4);
        assertThat(all).allSatisfy(each -> assertThat(reader.read(each)).isPresent());
    }

    @Test
    void read_beginningIsLost_isEmptyUntilTheNextCompleteWindow() throws Exception {
        JudgedWindow window = full("p");
        writer.write(window, 1);
        assertThat(reader.read(writer.write(window, 2))).isEmpty();

        writer.restart();

        assertThat(reader.read(writer.write(window, 3))).isPresent();
        assertThat(reader.read(writer.write(window, 4))).isPresent();
    }

    @Test
    void read_contentOfAnotherMaking_isEmpty() throws Exception {
        String good = writer.write(full("p"), 1).content();
        for (String bad : List.of("", "!", "eJw", good.substring(0, good.length() / 2), good.replace('a', 'b'))) {
            assertThat(reader.read(new WindowEvidence(1, "p", 1, OptionalLong.empty(), bad)))
                    .as(bad)
                    .isEmpty();
        }
    }

    @Test
    void text_recordOfAnotherVersion_needsItsComponentsOnly() {
        String text = RecordText.write(new ThreadTimes(SECOND, SECOND, 1, 2));

        assertThat(RecordParser.read(text.replace("{", "{\"added\":[{\"x\":1.5E3}],"), ThreadTimes.class))
                .isEqualTo(new ThreadTimes(SECOND, SECOND, 1, 2));
        assertThatThrownBy(() -> RecordParser.read(text.replace("\"cpu\"", "\"c\""), ThreadTimes.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ThreadTimes lacks cpu");
        for (String bad : List.of("", "{", "{}", "[]", "null", "{\"cpu\":\"x\"}", text + "x", "[".repeat(100_000))) {
            assertThatThrownBy(() -> RecordParser.read(bad, ThreadTimes.class))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void text_classOfAnotherKind_isRefused() {
        String text = RecordText.write(
                new WorkerWindow("t", 1, true, Optional.of("k"), SECOND, Optional.of(ThreadTimes.NONE)));

        for (String name : List.of("Distribution", "PoolSnapshot$Load", "InstrumentedExecutors", "NoSuch", "../x")) {
            String named = text.replace("{\"cpu\"", "{\"@\":\"" + name + "\",\"cpu\"");
            assertThat(named).isNotEqualTo(text);
            assertThatThrownBy(() -> RecordParser.read(named, WorkerWindow.class))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void write_thousandWorkers_isSmall() {
        PoolSnapshot snapshot = PoolSnapshot.builder("p").build();
        PoolWindow window = PoolWindow.between(snapshot, snapshot)
                .workers(IntStream.range(0, 1_000)
                        .mapToObj(i -> new WorkerWindow(
                                "worker-" + i, i, false, Optional.empty(), Duration.ZERO, Optional.empty()))
                        .toList())
                .build();

        WindowEvidence evidence = writer.write(judged(window), 1);

        assertThat(evidence.content().length()).isLessThan(32_000);
        assertThat(reader.read(evidence).orElseThrow().workers()).hasSize(1_000);
    }

    private static JudgedWindow judged(PoolWindow window) {
        return JudgedWindow.of(window, true, Map.of(), Entry.JUDGED, SECOND, true);
    }

    private static JudgedWindow full(String name) throws Exception {
        PoolSnapshot before;
        PoolSnapshot after;
        try (Measured pool = new Measured()) {
            before = pool.snapshot(name, 0);
            after = pool.snapshot(name, 3);
        }
        Awaited.Lock lock = new Awaited.Lock("a.B@1f", true, Optional.of("owner"), STACK, 0.5);
        TimeBreakdown breakdown = new TimeBreakdown(
                4,
                20,
                7,
                List.of(
                        share(Doing.WAITING_FOR_LOCK, Optional.of(lock)),
                        share(Doing.WAITING_FOR_RESULT, Optional.of(new Awaited.Result(Optional.of("q"), true))),
                        share(
                                Doing.WAITING_IN_LINE,
                                Optional.of(new Awaited.Line(
                                        "c", true, OptionalInt.of(1), OptionalInt.empty(), OptionalInt.of(2)))),
                        new TimeBreakdown.Share(Doing.UNKNOWN, "", Estimate.UNKNOWN, List.of(), Optional.empty())),
                Map.of(17L, STACK));
        EventLoopLooks looks = new EventLoopLooks(
                true,
                List.of(
                        new EventLoopLooks.Loop(
                                "l",
                                5,
                                4,
                                Optional.of(new EventLoopLooks.Hold(
                                        Doing.COMPUTING, "p", SECOND, STACK, Optional.of(lock))),
                                Optional.empty()),
                        new EventLoopLooks.Loop("m", 5, 0, Optional.empty(), Optional.empty())));
        PoolWindow window = PoolWindow.between(before, after)
                .end(Instant.ofEpochSecond(1_767_225_600, 123_456_789))
                .state(PoolState.SHUTTING_DOWN)
                .process(new ProcessWindow(
                        1.5,
                        OptionalDouble.of(0.1),
                        OptionalDouble.of(0.0),
                        OptionalDouble.empty(),
                        OptionalDouble.of(1),
                        Optional.of(Duration.ZERO),
                        Optional.empty(),
                        Duration.ofMillis(3)))
                .workers(List.of(
                        new WorkerWindow("w\t1", 17, true, Optional.of("Kind"), SECOND, Optional.of(ThreadTimes.NONE)),
                        new WorkerWindow("w2", 18, false, Optional.empty(), Duration.ZERO, Optional.empty())))
                .breakdown(breakdown)
                .waitsOfOthers(Map.of("q", Set.of("p", "r")))
                .eventLoop(looks)
                .freeHeap(OptionalLong.of(7_000_000_000L))
                .build();
        return JudgedWindow.of(window, true, Map.of("stuck-task.seconds", 1.25), Entry.JUDGED, SECOND, false);
    }

    private static TimeBreakdown.Share share(Doing doing, Optional<Awaited> awaited) {
        return new TimeBreakdown.Share(doing, "a.B.c(B.java:3)", new Estimate(1.25, 0.5), STACK, awaited);
    }

    /** A pool whose snapshots hold what its tasks took, and what a full pool counts. */
    private static final class Measured implements AutoCloseable {
        private final InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named("measured").size(1).build();

        PoolSnapshot snapshot(String name, int tasks) throws Exception {
            for (int i = 0; i < tasks; i++) {
                pool.submit(() -> {}).get(20, TimeUnit.SECONDS);
            }
            // A future is done before the worker has counted its task.
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> pool.snapshot().serviceTime().count() >= tasks);
            PoolSnapshot now = pool.snapshot();
            return PoolSnapshot.builder(name)
                    .nanoTime(now.nanoTime())
                    .load(now.load())
                    .limits(now.limits())
                    .counts(now.counts())
                    .times(now.times())
                    .kinds(now.kinds())
                    .overhead(now.overhead())
                    .saturation(new PoolSnapshot.Saturation(
                            1,
                            2,
                            SECOND,
                            Map.of(RejectionReason.values()[0], 7L),
                            List.of(new PoolSnapshot.Caller("main", 3, SECOND, 2.5)),
                            List.of(new PoolSnapshot.EventLoop("loop", 1, SECOND, 2, SECOND)),
                            List.of(new PoolSnapshot.Cycle(List.of("a", "b"), 4))))
                    .unseenFailures(List.of(new PoolSnapshot.Unseen("k", "x.E", 1, 2, SECOND, 3)))
                    .build();
        }

        @Override
        public void close() throws InterruptedException {
            pool.shutdown();
            assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
