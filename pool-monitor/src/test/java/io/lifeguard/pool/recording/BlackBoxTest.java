package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A black box keeps the last minute, in at most 1 MiB. */
class BlackBoxTest {

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private static final OptionalLong NONE = OptionalLong.empty();

    private final BlackBox box = new BlackBox();

    @Test
    void add_tenMinutesOfWindows_keepsTheLastMinute() throws Exception {
        for (int second = 0; second < 600; second++) {
            box.add(Observations.window(Observations.START + second * SECOND));
        }

        List<Instant> ends = starts();
        long last = Observations.START + 600 * SECOND;
        assertThat(Observation.nanos(ends.get(ends.size() - 1))).isEqualTo(last);
        assertThat(Observation.nanos(ends.get(0))).isBetween(last - 66 * SECOND, last - 60 * SECOND);
        assertThat(ends).doesNotHaveDuplicates().hasSizeBetween(60, 66);
    }

    @Test
    void add_moreThanFits_staysBelowOneMebibyteAndKeepsEachSecondAndAllWindows() throws Exception {
        for (int second = 0; second < 120; second++) {
            for (int i = 0; i < 2_000; i++) {
                String unique = "worker-" + second + "-" + i;
                long moment = Observations.START + second * SECOND + i * 400_000L;
                box.add(new WorkerSample(moment, "p", unique, Doing.COMPUTING, "a.B.c(B.java:3)", "", ""));
            }
            box.add(Observations.window(Observations.START + second * SECOND - 100_000_000L));
            assertThat(box.bytes()).isLessThanOrEqualTo(1 << 20);
        }

        List<Instant> starts = starts();
        assertThat(starts.stream().map(Instant::getEpochSecond).distinct()).hasSizeBetween(60, 67);
        assertThat(windows()).isBetween(60L, 66L);
        assertThat(box.dropped()).isPositive();
    }

    /** Users may name pools and threads as they like. */
    @Test
    void add_hugeNamesAndLooks_staysBelowOneMebibyteAndKeepsTheRest() throws Exception {
        String huge = "x".repeat(300_000);
        for (int second = 0; second < 120; second++) {
            long moment = Observations.START + second * SECOND;
            box.add(new WorkerSample(moment, huge, huge + second, Doing.COMPUTING, "a.B.c(B.java:3)", "", ""));
            box.add(new SubmitWait(moment, SECOND / 10, huge, "main", true));
            box.add(new PoolLooks(moment, SECOND, "p", NONE, NONE, NONE, NONE, NONE, 0, huge));
            box.add(new TaskRun(moment, 1_000, "p", "w", huge, OptionalLong.of(1_000), NONE, false));
            box.add(Observations.window(moment));
            assertThat(box.bytes()).isLessThanOrEqualTo(1 << 20);
        }

        assertThat(written()).hasSizeLessThan(1 << 20);
        assertThat(windows()).isBetween(60L, 66L);
        assertThat(box.observations(Long.MIN_VALUE))
                .anySatisfy(one -> assertThat(one)
                        .isInstanceOfSatisfying(
                                WorkerSample.class,
                                sample -> assertThat(sample.pool()).isEqualTo(huge.substring(0, 1_000))))
                .noneMatch(PoolLooks.class::isInstance);
    }

    @Test
    void writeTo_afterMoreThanFits_writesLessThanOneMebibyte() throws Exception {
        for (int i = 0; i < 100_000; i++) {
            box.add(new WorkerSample(
                    Observations.START + i * 600_000L, "p", "worker-" + i % 50, Doing.IDLE, "", "", ""));
        }

        assertThat(written()).hasSizeLessThan(1 << 20);
    }

    @Test
    void add_clockSetBack_beginsAnewAndLosesNothingLater() throws Exception {
        box.add(Observations.window(Observations.START));
        box.add(Observations.window(Observations.START - 3_600 * SECOND));

        assertThat(starts()).hasSize(2);
    }

    @Test
    void observations_ofEachType_comeBackUnchanged() {
        Observations.ofEachType().forEach(box::add);

        // a short wait is held back for others that may follow
        assertThat(box.observations(Long.MIN_VALUE)).containsExactlyInAnyOrderElementsOf(Observations.ofEachType());
    }

    @Test
    void observations_ofManySegments_comeBackInTheirOrder() {
        List<Observation> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            long moment = Observations.START + i * SECOND;
            all.add(new WorkerSample(moment, "pool " + i % 7, "w" + i, Doing.IDLE, "", "", ""));
        }
        all.forEach(box::add);

        assertThat(box.observations(Long.MIN_VALUE)).containsExactlyElementsOf(all);
    }

    @Test
    void add_moreWaitsThanFit_keepsAllLooksAndSpreadsTheRestEvenly() {
        for (int milli = 0; milli < 20_000; milli++) {
            long moment = Observations.START + milli * 1_000_000L;
            box.add(new SubmitWait(moment - 1_000_000, 1_000_000, "p", "main " + milli % 100, true));
            if (milli % 50 == 0) {
                box.add(new WorkerSample(moment, "p", "w", Doing.COMPUTING, "", "", ""));
            }
        }

        List<Observation> kept = box.observations(Long.MIN_VALUE);
        assertThat(kept).filteredOn(WorkerSample.class::isInstance).hasSize(400);
        long[] waits = kept.stream()
                .filter(SubmitWait.class::isInstance)
                .mapToLong(Observation::endNanos)
                .toArray();
        assertThat(waits).hasSizeBetween(2_000, 10_000);
        for (int i = 1; i < waits.length; i++) {
            assertThat(waits[i] - waits[i - 1]).isLessThan(SECOND / 10);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 500_000, 990_000})
    void add_aThousandWaitsASecond_keepsHowFullEachSecondWas(long waitNanos) {
        int seconds = 60;
        for (int milli = 0; milli < seconds * 1_000; milli++) {
            long moment = Observations.START + milli * 1_000_000L;
            box.add(new SubmitWait(moment, waitNanos, "p", "main", true));
            if (milli % 50 == 0) {
                box.add(new WorkerSample(moment, "p", "w", Doing.COMPUTING, "", "", ""));
            }
        }

        long[] full = new long[seconds];
        for (Observation kept : box.observations(Long.MIN_VALUE)) {
            if (kept instanceof SubmitWait wait) {
                full[(int) ((wait.startNanos() - Observations.START) / SECOND)] += wait.durationNanos();
            }
        }
        assertThat(box.dropped()).isZero();
        for (long each : full) {
            assertThat(each).isCloseTo(1_000 * waitNanos, withinPercentage(11));
        }
        assertThat(Arrays.stream(full).sum()).isEqualTo(seconds * 1_000 * waitNanos);
    }

    @Test
    void add_waitsThatDoNotBelongTogether_keepsEach() {
        long wait = 2_000_000;
        List<SubmitWait> waits = List.of(
                new SubmitWait(Observations.START, wait, "p", "main", true),
                new SubmitWait(Observations.START + wait, wait, "p", "other", true),
                new SubmitWait(Observations.START + wait, wait, "q", "main", true),
                new SubmitWait(Observations.START + wait, wait, "p", "main", false),
                new SubmitWait(Observations.START + wait + 1_000_000, wait, "p", "main", true),
                new SubmitWait(Observations.START + 3 * wait, 100_000_000, "p", "other", true));
        waits.forEach(box::add);

        assertThat(box.observations(Long.MIN_VALUE)).containsExactlyInAnyOrderElementsOf(waits);
    }

    @Test
    void observations_betweenWaitsThatWouldBeJoined_haveWhatWasWaited() {
        box.add(new SubmitWait(Observations.START, 1_000_000, "p", "main", true));
        assertThat(box.observations(Long.MIN_VALUE)).hasSize(1);

        box.add(new SubmitWait(Observations.START + 1_000_000, 1_000_000, "p", "main", true));
        assertThat(box.observations(Long.MIN_VALUE))
                .extracting(Observation::durationNanos)
                .containsExactly(1_000_000L, 1_000_000L);
    }

    @Test
    void add_observationsToldLate_earnNoRoom() {
        for (int i = 0; i < 100_000; i++) {
            long moment = Observations.START + SECOND + (i % 2) * SECOND / 2;
            box.add(new WorkerSample(moment, "p", "w", Doing.IDLE, "", "", ""));
        }

        assertThat(box.observations(Long.MIN_VALUE)).hasSizeLessThan(2_000);
    }

    @Test
    void observations_fromAMoment_areThoseThatHadNotEnded() {
        Observations.ofEachType().forEach(box::add);
        List<Observation> later = new ArrayList<>();
        for (int second = 10; second < 40; second++) {
            later.add(Observations.window(Observations.START + second * SECOND));
        }
        later.forEach(box::add);
        long from = Observations.START + 20 * SECOND;

        assertThat(box.observations(from))
                .isNotEmpty()
                .containsExactlyElementsOf(
                        later.stream().filter(each -> each.endNanos() >= from).toList());
        assertThat(box.observations(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void oldestNanos_boxThatForgets_moves() {
        assertThat(box.oldestNanos()).isEmpty();
        for (int second = 0; second < 200; second++) {
            box.add(Observations.window(Observations.START + second * SECOND));
        }
        assertThat(box.oldestNanos().orElseThrow())
                .isEqualTo(box.observations(Long.MIN_VALUE).get(0).endNanos())
                .isGreaterThan(Observations.START + 100 * SECOND);
    }

    @Test
    void observations_ofNothing_areEmpty() {
        assertThat(box.observations(Long.MIN_VALUE)).isEmpty();
    }

    private byte[] written() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        box.writeTo(out, Observations.START);
        return out.toByteArray();
    }

    private List<RecordedEvent> events() throws IOException {
        Path file = directory.resolve("box.jfr");
        Files.write(file, written());
        return RecordingFile.readAllEvents(file);
    }

    private List<Instant> starts() throws IOException {
        List<Instant> starts = new ArrayList<>();
        events().forEach(event -> starts.add(event.getStartTime()));
        starts.sort(null);
        return starts;
    }

    private long windows() throws IOException {
        return events().stream()
                .filter(event -> event.getEventType().getName().equals("io.lifeguard.Window"))
                .count();
    }

    /** A dispatcher that does most of the work itself, beside tasks and looks of which there are too many. */
    @Test
    void add_callerRunsBesideTooMuchElse_keepsAllTheirTime() {
        int seconds = 20;
        for (int milli = 0; milli < seconds * 1_000; milli++) {
            long moment = Observations.START + milli * 1_000_000L;
            box.add(new WorkerSample(moment, "p", "w" + milli % 64, Doing.COMPUTING, "", "", ""));
            box.add(new TaskRun(
                    moment - 30_000_000,
                    30_000_000,
                    "p",
                    "w" + milli % 64,
                    "k",
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    false));
            if (milli % 10 == 0) {
                box.add(new CallerRun(moment, 9_800_000, "p", "main", 1));
            }
        }

        long sum = box.observations(Long.MIN_VALUE).stream()
                .filter(CallerRun.class::isInstance)
                .mapToLong(Observation::durationNanos)
                .sum();
        assertThat(box.dropped()).isPositive();
        assertThat(sum).isEqualTo(seconds * 100 * 9_800_000L);
    }
}
