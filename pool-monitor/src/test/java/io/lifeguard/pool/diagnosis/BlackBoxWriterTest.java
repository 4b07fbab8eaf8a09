package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.recording.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A critical finding writes the last minute to a file, if a directory is set and the disk allows it. */
class BlackBoxWriterTest {

    private static final String POOL = "black-box";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final CountDownLatch hasEnded = new CountDownLatch(1);
    private volatile Severity severity = Severity.WARNING;
    private InstrumentedThreadPoolExecutor pool;
    private PoolMonitor monitor;

    @BeforeEach
    void start() {
        monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(50))
                .grace(Duration.ZERO)
                .onlyRules(List.of(window -> window.pool().equals(POOL)
                        ? Verdict.found(Finding.of("always", window)
                                .severity(severity)
                                .summary("it is so")
                                .build())
                        : Verdict.clear()))
                .build();
        pool = InstrumentedThreadPoolExecutor.named(POOL).size(1).build();
        pool.execute(this::work);
    }

    /** A monitor without CPU time leaves pools without work unjudged. */
    private void work() {
        try {
            hasEnded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        hasEnded.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        monitor.close();
    }

    @Test
    void finding_becomesCritical_writesOneFileThatHoldsIt() throws Exception {
        monitor.blackBox(directory);
        await().atMost(PATIENCE).until(() -> !monitor.findings(POOL).isEmpty());
        assertThat(files()).isEmpty();

        severity = Severity.CRITICAL;

        await().atMost(PATIENCE).until(() -> finished().size() == 1);
        Path file = finished().get(0);
        assertThat(events(file, EventType.WINDOW)).isNotEmpty();
        assertThat(events(file, EventType.FINDING))
                .filteredOn(change -> change.getString("pool").equals(POOL))
                .anySatisfy(change -> assertThat(change.getString("severity")).isEqualTo("CRITICAL"));
    }

    @Test
    void finding_criticalWithUnusableDirectory_doesNoHarm() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        monitor.blackBox(file);
        severity = Severity.CRITICAL;

        await().atMost(PATIENCE).until(() -> !monitor.findings(POOL).isEmpty());
        int windows = monitor.windows(POOL).size();
        await().atMost(PATIENCE).until(() -> monitor.windows(POOL).size() > windows + 2);

        assertThat(file).isEmptyFile();
    }

    @Test
    void dump_fileThatExists_isReplaced() throws Exception {
        Path file = Files.writeString(directory.resolve("box.jfr"), "old");
        await().atMost(PATIENCE).until(() -> monitor.windows(POOL).size() > 1); // so the first one is recorded

        monitor.dump(file);

        assertThat(events(file, EventType.WINDOW)).isNotEmpty();
    }

    @Test
    void dump_directoryThatDoesNotExist_throws() {
        assertThatThrownBy(() -> monitor.dump(directory.resolve("no/box.jfr"))).isInstanceOf(IOException.class);
    }

    private static List<RecordedEvent> events(Path file, EventType type) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(type.eventName()))
                .toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private List<Path> finished() throws IOException {
        return files().stream().filter(file -> file.toString().endsWith(".jfr")).toList();
    }
}
