package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.os.Unknown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The newest recorder receives events, and passes to flight recordings what began in their time. */
class RecorderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Sink sink = new Sink();
    private final Recorder recorder = new Recorder(sink);
    private final Recorder older = new Recorder(LiveSink.NONE);

    @AfterEach
    void close() {
        recorder.close();
        older.close();
    }

    @Test
    void open_olderRecorderThere_replacesItUntilClosed() {
        older.open();
        recorder.open();
        older.advance(0, NOW);
        assertThat(EventTap.receiver()).isSameAs(recorder);

        recorder.close();
        older.advance(0, NOW);
        // a monitor of the whole JVM may have been faster
        assertThat(EventTap.receiver()).isNotNull().isNotSameAs(recorder);
    }

    @Test
    void openUnlessTaken_otherRecorderThere_leavesItTheEvents() {
        older.open();
        recorder.openUnlessTaken();
        recorder.advance(0, NOW);
        assertThat(EventTap.receiver()).isSameAs(older);
    }

    @Test
    void advance_noFlightRecording_asksForLongTasksOnly() {
        recorder.open();
        recorder.advance(0, NOW);

        assertThat(EventTap.taskThresholdNanos()).isEqualTo(Recorder.LONG_TASK_NANOS);
        assertThat(EventTap.isTimed()).isFalse();
    }

    @Test
    void advance_flightRecordingWithLowThreshold_asksForShortTasksAndTheirBeginnings() {
        recorder.open();
        sink.isRecording = true;
        assertThat(recorder.advance(0, NOW)).isTrue();
        assertThat(recorder.advance(0, NOW)).isFalse();

        assertThat(EventTap.taskThresholdNanos()).isEqualTo(5);
        assertThat(EventTap.isTimed()).isTrue();
    }

    @Test
    void taskEnded_withoutBeginningNoted_isNotPassedToTheFlightRecording() {
        recorder.open();
        sink.isRecording = true;
        recorder.advance(0, NOW);

        recorder.taskEnded("p", "before", 1, 10, Unknown.NUMBER, Unknown.NUMBER, false, null);
        recorder.taskEnded("p", "within", 1, 10, 3, 4, true, new Object());
        recorder.rejected("p", "ABORTED");

        assertThat(sink.written).hasSize(2);
        assertThat(sink.written.get(0))
                .isEqualTo(new Observation.TaskRun(
                        Observation.nanos(NOW) + 1,
                        10,
                        "p",
                        Thread.currentThread().getName(),
                        "within",
                        OptionalLong.of(3),
                        OptionalLong.of(4),
                        true));
    }

    @Test
    void taskEnded_moreThanTheMonitorCollects_countsWhatIsLeftOut() {
        recorder.open();
        recorder.advance(0, NOW);
        for (int i = 0; i < 5_000; i++) {
            recorder.taskEnded("p", "k", i, Recorder.LONG_TASK_NANOS, 0, 0, false, null);
        }

        assertThat(recorder.dropped()).isEqualTo(5_000 - 4_096);
    }

    @Test
    void record_youngRecorder_makesTheBlackBoxOnceSomebodyReads() {
        recorder.record(rejection(1));
        recorder.rejected("p", "ABORTED");
        recorder.collect();
        assertThat(recorder.isHeld()).isTrue();

        assertThat(recorder.observations()).hasSize(2).first().isEqualTo(rejection(1));
        assertThat(recorder.isHeld()).isFalse();
    }

    @Test
    void record_youngRecorderWithMuchToKeep_makesTheBlackBox() {
        for (int i = 0; recorder.isHeld(); i++) {
            assertThat(i).isLessThan(4_096);
            recorder.record(rejection(i * 10_000_000L)); // as many a second as the black box keeps
        }
        recorder.record(rejection(90_000_000_000L));

        assertThat(recorder.dropped()).isZero();
        assertThat(recorder.observations()).isNotEmpty().last().isEqualTo(rejection(90_000_000_000L));
    }

    private static Observation rejection(long nanos) {
        return new Observation.Rejection(nanos, "p", "t", "ABORTED");
    }

    @Test
    void record_windowThatEndedASecondAgo_saysHowLateItsEventIs() {
        recorder.open();
        sink.isRecording = true;
        long now = System.nanoTime();
        recorder.advance(now, NOW);
        long ended = recorder.epochNanos(now) - 1_000_000_000;

        recorder.record(new Observation.PoolLooks(
                ended - 250_000_000,
                250_000_000,
                "p",
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                ""));

        assertThat(sink.lateNanos).isBetween(1_000_000_000L, 1_000_000_000L + System.nanoTime() - now);
    }

    @Test
    void advance_wallClockSet_followsIt() {
        recorder.advance(0, NOW);
        assertThat(recorder.epochNanos(7)).isEqualTo(Observation.nanos(NOW) + 7);

        recorder.advance(1_000, NOW.plusSeconds(3_600));
        assertThat(recorder.epochNanos(1_000)).isEqualTo(Observation.nanos(NOW.plusSeconds(3_600)));
    }

    @Test
    void close_receiver_receivesNothingMore() {
        recorder.open();
        recorder.advance(0, NOW);
        recorder.close();

        assertThat(EventTap.receiver()).isNotSameAs(recorder);
    }

    private static final class Sink implements LiveSink {
        private final List<Observation> written = new ArrayList<>();
        private boolean isRecording;
        private long lateNanos; // of the latest observation

        @Override
        public boolean isRecording() {
            return isRecording;
        }

        @Override
        public boolean hasNewRecording() {
            return false;
        }

        @Override
        public long taskThresholdNanos() {
            return 5;
        }

        @Override
        public @Nullable Object begins(EventType type, @Nullable Object spare) {
            return this;
        }

        @Override
        public void write(Observation observation, @Nullable Object note, long lateNanos) {
            written.add(observation);
            this.lateNanos = lateNanos;
        }
    }
}
