package io.lifeguard.pool.tools.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.recording.Recorders;
import io.lifeguard.pool.tools.diagnosis.RecordingDiagnosis.Raised;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules raise on a recording what they raised in the monitor, from whenever the recording begins. */
class RecordingDiagnosisTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final CountDownLatch released = new CountDownLatch(1);
    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("judged-again").size(2).build();
    private PoolMonitor monitor;

    @BeforeEach
    void start() {
        monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(100))
                .grace(Duration.ZERO)
                .threshold("stuck-task.seconds", 0.2)
                .threshold("stuck-task.firstSeconds", 0.2)
                .build();
        await().atMost(PATIENCE).until(() -> EventTap.receiver() == Recorders.of(monitor));
    }

    @AfterEach
    void stop() throws InterruptedException {
        released.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        monitor.close();
    }

    @Test
    void of_recordingOfASickPool_raisesTheSameFinding() throws Exception {
        try (Recording recording = new Recording()) {
            recording.start();
            beStuck();
            Raised raised = awaitRaised(recording);

            Finding live = monitor.findings("judged-again").get(0);
            assertThat(raised.finding().id()).isEqualTo(live.id());
            assertThat(raised.finding().severity()).isEqualTo(live.severity());
            assertThat(raised.finding().advice()).isEqualTo(live.advice());
            assertThat(raised.finding().evidence()).containsEntry("kind", "stuck one");
            assertThat(raised.raised()).isAfterOrEqualTo(raised.finding().since());
            assertThat(raised.over()).isEmpty();

            released.countDown();
            awaitSlowly().until(() -> ofPool(recording).get(0).over().isPresent());
            assertThat(ofPool(recording).get(0).resolved()).isTrue();
        }
    }

    @Test
    void of_recordingThatBeginsLateAndAgain_raisesWhatStandsThen() throws Exception {
        beStuck();
        await().atMost(PATIENCE).until(() -> !monitor.findings("judged-again").isEmpty());
        for (int i = 0; i < 2; i++) {
            try (Recording recording = new Recording()) {
                recording.start();
                assertThat(awaitRaised(recording).finding().id()).isEqualTo("stuck-task");
                assertThat(judged(recording).unreadWindows()).isZero();
            }
        }
    }

    @Test
    void of_recordingWithoutOurEvents_findsNothing() throws Exception {
        try (Recording recording = new Recording()) {
            recording.disable("io.lifeguard.WindowEvidence");
            recording.start();
            recording.stop();

            RecordingDiagnosis nothing = judged(recording);

            assertThat(nothing.windows()).isZero();
            assertThat(nothing.findings()).isEmpty();
            assertThat(nothing.missing()).isEmpty();
        }
    }

    @Test
    void of_noRecording_saysSo() throws Exception {
        Path missing = directory.resolve("missing.jfr");
        assertThatThrownBy(() -> RecordingDiagnosis.of(missing)).isInstanceOf(IOException.class);
        Path other = Files.writeString(directory.resolve("other.jfr"), "not a recording");
        assertThatThrownBy(() -> RecordingDiagnosis.of(other)).isInstanceOf(IOException.class);
    }

    private void beStuck() {
        pool.execute(Tasks.named("stuck one", () -> {
            try {
                assertThat(released.await(5, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private Raised awaitRaised(Recording recording) throws Exception {
        awaitSlowly().until(() -> !ofPool(recording).isEmpty());
        return ofPool(recording).get(0);
    }

    /** Each look writes and reads a file, which must not keep the monitor from its work. */
    private static ConditionFactory awaitSlowly() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1));
    }

    /** Other tests of this JVM may leave pools that are watched too. */
    private List<Raised> ofPool(Recording recording) throws Exception {
        return judged(recording).findings().stream()
                .filter(each -> each.finding().pool().equals("judged-again"))
                .toList();
    }

    private RecordingDiagnosis judged(Recording recording) throws Exception {
        Path file = directory.resolve("judged.jfr");
        recording.dump(file);
        return RecordingDiagnosis.of(file);
    }
}
