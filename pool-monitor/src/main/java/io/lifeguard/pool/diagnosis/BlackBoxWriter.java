package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.recording.BlackBoxFiles;
import io.lifeguard.pool.recording.Recorder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes the black box to a file when a finding is or becomes critical, if a directory is set. Its methods are called
 * by the monitor's thread.
 *
 * <p>A thread of its own writes, because a disk may hang. While it writes, and for a minute after a file, no other file
 * is begun.
 */
final class BlackBoxWriter implements FindingListener {

    /** A box holds a minute, so no two need hold the same. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final MonitorSettings settings;
    private final Recorder recorder;
    private final MonitorClock clock;
    private final AtomicBoolean isWriting = new AtomicBoolean(); // set by the monitor's thread, cleared by the writer
    private @Nullable Long lastNanos; // of the last file; confined to the monitor's thread

    BlackBoxWriter(MonitorSettings settings, Recorder recorder, MonitorClock clock) {
        this.settings = settings;
        this.recorder = recorder;
        this.clock = clock;
    }

    @Override
    public void raised(Finding finding) {
        writeIfCritical(finding);
    }

    @Override
    public void escalated(Finding finding) {
        writeIfCritical(finding);
    }

    private void writeIfCritical(Finding finding) {
        Path directory = settings.blackBox();
        long now = clock.nanoTime();
        boolean isDue = lastNanos == null || now - lastNanos >= PAUSE.toNanos();
        if (directory == null
                || finding.severity() != Severity.CRITICAL
                || !isDue
                || !isWriting.compareAndSet(false, true)) {
            return;
        }
        lastNanos = now;
        boolean isStarted = false;
        try {
            Thread thread = new Thread(() -> write(directory), "lifeguard-black-box");
            thread.setDaemon(true);
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                isWriting.set(false); // no memory for a thread
            }
        }
    }

    private void write(Path directory) {
        try {
            Path file = new BlackBoxFiles(directory).write(clock.now(), recorder::writeTo);
            LogLines.MONITOR.write(log -> log.info("What led to it is recorded in {}", file));
        } catch (IOException | RuntimeException | Error e) { // also where memory is short: a file is not worth more
            LogLines.MONITOR.write(
                    log -> log.warn("The black box could not be written to {}: {}", directory, e.toString()));
        } finally {
            isWriting.set(false);
        }
    }
}
