package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Recorders;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flight recordings hold every type of event with the right figures, whenever they start. */
class FlightRecordingTest {

    private static final Duration LONG = Duration.ofMillis(30);

    @TempDir
    Path directory;

    private PoolMonitor monitor;

    @BeforeEach
    void start() {
        monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(100))
                .grace(Duration.ZERO)
                .onlyRules(List.of(window -> window.pool().startsWith("recorded")
                        ? Verdict.found(Finding.of("always", window)
                                .severity(Severity.WARNING)
                                .summary("it is so")
                                .evidence("number", 7)
                                .build())
                        : Verdict.clear()))
                .build();
        await().atMost(Duration.ofSeconds(20)).until(() -> EventTap.receiver() == Recorders.of(monitor));
    }

    @AfterEach
    void stop() {
        monitor.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> EventTap.receiver() != Recorders.of(monitor));
    }

    @Test
    void recording_eventsOfEachType_holdTheirFigures() throws Exception {
        List<Observation> observations;
        try (Recording recording = new Recording()) {
            recording.start();
            InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("recorded")
                    .size(1)
                    .queueCapacity(1)
                    .whenSaturated(BlockingWaitPolicy.forever())
                    .build();
            try {
                awaitTimed(true);
                for (int i = 0; i < 4; i++) {
                    pool.execute(FlightRecordingTest::takeLong); // the third waits
                }
                fullAgain(pool, new ThreadPoolExecutor.CallerRunsPolicy());
                pool.execute(FlightRecordingTest::takeLong);
                pool.setRejectedExecutionHandler(new ThreadPoolExecutor.AbortPolicy());
                Assertions.assertThatThrownBy(() -> {
                            while (true) {
                                pool.execute(FlightRecordingTest::takeLong);
                            }
                        })
                        .isInstanceOf(RejectedExecutionException.class);
                awaitEvent(recording, FindingChange.class, change -> change.change() == Change.RAISED);
                awaitEvent(recording, PoolLooks.class, looks -> !workers(looks).isEmpty());
                awaitEvent(
                        recording,
                        WindowSummary.class,
                        window -> window.flow().orElseThrow().completed() > 0);
            } finally {
                pool.shutdown();
                assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            }
            awaitEvent(recording, FindingChange.class, change -> change.change() == Change.ENDED);
            observations = written(recording, "all.jfr");
        }

        String worker = only(observations, TaskRun.class).get(0).thread();
        assertThat(only(observations, TaskRun.class))
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(task -> {
                    assertThat(task.durationNanos()).isGreaterThanOrEqualTo(LONG.toNanos());
                    assertThat(task.kind()).contains("FlightRecordingTest");
                    assertThat(task.thread()).isEqualTo(worker);
                    assertThat(task.queueWaitNanos()).isPresent();
                    assertThat(task.failed()).isFalse();
                });
        assertThat(only(observations, SubmitWait.class)).isNotEmpty().allSatisfy(wait -> {
            assertThat(wait.accepted()).isTrue();
            assertThat(wait.durationNanos()).isGreaterThanOrEqualTo(EventTap.SHORTEST_NANOS);
            assertThat(wait.thread()).isEqualTo(Thread.currentThread().getName());
        });
        assertThat(only(observations, CallerRun.class)).isNotEmpty().allSatisfy(run -> {
            assertThat(run.durationNanos()).isGreaterThanOrEqualTo(LONG.toNanos());
            assertThat(run.idleWorkers()).isBetween(0.0, 1.0);
        });
        assertThat(only(observations, Rejection.class)).hasSize(1);
        assertThat(only(observations, PoolLooks.class))
                .flatExtracting(FlightRecordingTest::workers)
                .isNotEmpty()
                .containsOnly(worker);
        assertThat(only(observations, WorkerSample.class))
                .as("one for each stack that was taken")
                .allSatisfy(sample -> assertThat(sample.thread()).isEqualTo(worker));
        assertThat(only(observations, WindowSummary.class)).isNotEmpty().allSatisfy(window -> {
            assertThat(window.load().coreSize()).hasValue(1);
            assertThat(window.load().capacity()).hasValue(1);
            assertThat(window.durationNanos()).isPositive();
            assertThat(window.process().cores()).isPositive();
        });
        long completed = only(observations, WindowSummary.class).stream()
                .mapToLong(window -> window.flow().orElseThrow().completed())
                .sum();
        assertThat(completed)
                .isPositive()
                .isLessThanOrEqualTo(only(observations, TaskRun.class).size());
        List<FindingChange> changes = only(observations, FindingChange.class);
        assertThat(changes.get(0).change()).isEqualTo(Change.RAISED);
        assertThat(changes.get(0).evidence()).containsEntry("number", "7");
        assertThat(changes.get(changes.size() - 1).change()).isEqualTo(Change.ENDED);
        assertThat(changes.get(changes.size() - 1).why()).isEqualTo("the pool has ended");
    }

    @Test
    void recording_toolOfTheJdk_showsEvents() throws Exception {
        Path file = directory.resolve("shown.jfr");
        try (InstrumentedPoolFixture pool = new InstrumentedPoolFixture("recorded-shown");
                Recording recording = new Recording()) {
            recording.start();
            awaitTimed(true);
            pool.run("shown");
            awaitEvent(recording, FindingChange.class, change -> change.change() == Change.RAISED);
            awaitEvent(recording, WindowSummary.class, window -> true);
            recording.dump(file);
        }
        assertThat(JfrTool.run("print", "--events", "io.lifeguard.*", file))
                .contains("io.lifeguard.Task {", "kind = \"shown\"", "id = \"always\"");
        assertThat(JfrTool.run("summary", file).lines().map(line -> line.trim().split("\\s+")))
                .anySatisfy(words -> assertThat(words).startsWith("io.lifeguard.Finding"))
                .anySatisfy(words -> assertThat(words).startsWith("io.lifeguard.Window"));
        if (Runtime.version().feature() >= 21) {
            assertThat(JfrTool.run("view", "--width", "2000", "io.lifeguard.Task", file))
                    .contains("Queue Wait", "shown");
            assertThat(JfrTool.run("view", "--width", "2000", "io.lifeguard.Finding", file))
                    .contains("always");
        }
    }

    private static List<String> workers(PoolLooks looks) {
        return WorkerLooks.read(looks.content()).workers().stream()
                .map(WorkerLooks.Worker::thread)
                .toList();
    }

    @Test
    void recording_thatStartsLateStopsAndStartsAgain_holdsItsOwnTimeOnly() throws Exception {
        try (InstrumentedPoolFixture pool = new InstrumentedPoolFixture("recorded-again")) {
            pool.run("before");
            for (int i = 0; i < 2; i++) {
                String kind = "during " + i;
                try (Recording recording = new Recording()) {
                    recording.start();
                    awaitTimed(true);
                    pool.run(kind);
                    List<Observation> observations = written(recording, "again-" + i + ".jfr");
                    assertThat(only(observations, TaskRun.class))
                            .extracting(TaskRun::kind)
                            .containsExactly(kind);
                }
                awaitTimed(false);
                pool.run("between");
            }
        }
    }

    @Test
    void recording_thatStartsLate_holdsTheFindingsThatStand() throws Exception {
        try (InstrumentedPoolFixture pool = new InstrumentedPoolFixture("recorded-late")) {
            pool.run("before");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !monitor.findings("recorded-late").isEmpty());
            try (Recording recording = new Recording()) {
                recording.start();
                awaitTimed(true);
                awaitEvent(recording, FindingChange.class, change -> change.change() == Change.UPDATED);
            }
        }
    }

    @Test
    void recording_withThresholdOfZero_holdsShortTasks() throws Exception {
        try (InstrumentedPoolFixture pool = new InstrumentedPoolFixture("recorded-short");
                Recording recording = new Recording()) {
            recording.enable("io.lifeguard.Task").withThreshold(Duration.ZERO);
            recording.start();
            awaitTimed(true);
            pool.runShort("short");
            assertThat(only(written(recording, "short.jfr"), TaskRun.class))
                    .extracting(TaskRun::kind)
                    .contains("short");
        }
    }

    private <T extends Observation> void awaitEvent(Recording recording, Class<T> type, Predicate<T> wanted) {
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        only(written(recording, "await.jfr"), type).stream().anyMatch(wanted));
    }

    private static void awaitTimed(boolean is) {
        await().atMost(Duration.ofSeconds(20)).until(() -> EventTap.isTimed() == is);
    }

    /** Sets another policy, and fills the pool. */
    private static void fullAgain(ThreadPoolExecutor pool, ThreadPoolExecutor.CallerRunsPolicy policy) {
        pool.setRejectedExecutionHandler(policy);
        for (int i = 0; i < 2; i++) {
            pool.execute(FlightRecordingTest::takeLong);
        }
    }

    static void takeLong() {
        CountDownLatch never = new CountDownLatch(1);
        try {
            assertThat(never.await(LONG.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Observation> written(Recording recording, String name) throws Exception {
        Path file = directory.resolve(name);
        recording.dump(file);
        return RecordingReader.read(file);
    }

    private static <T extends Observation> List<T> only(List<Observation> observations, Class<T> type) {
        return observations.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(one -> one.pool().startsWith("recorded"))
                .toList();
    }
}
