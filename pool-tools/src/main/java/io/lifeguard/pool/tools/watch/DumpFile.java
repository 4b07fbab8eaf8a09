package io.lifeguard.pool.tools.watch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * The files into which another JVM writes its dumps with virtual threads. None stays behind, also if this program is
 * ended by a signal. One that {@code kill -9} left behind is deleted before the next dump of that JVM. Thread-safe for
 * one thread that asks, and the end of the program.
 */
final class DumpFile {

    private static final Duration STALE = Duration.ofMinutes(1); // no dump takes as long
    private static final int PATIENCE_MILLIS = 2_000; // at the end of this program
    private static final int PAUSE_MILLIS = 20;

    private final Path directory; // the JVM's /tmp, in its own container, where its socket is, too
    private final String prefix; // of the names of all dumps of that JVM
    private boolean hasHook; // confined to the thread that asks

    // Written by the thread that asks. The end of the program reads it; a stale read deletes the file a moment later.
    private volatile boolean isBeingWritten;

    DumpFile(Path proc, long pid) {
        this.directory = proc.resolve("root/tmp");
        this.prefix = ".lifeguard-" + pid + "-";
    }

    /** Has a JVM write a dump. */
    @FunctionalInterface
    interface Request {
        void writeTo(String file) throws IOException;
    }

    /** {@return the dump} The JVM replaces no file, so each has another name. */
    String read(Request request, long mostBytes) throws IOException {
        prepare();
        String name = prefix + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".json";
        Path path = directory.resolve(name);
        isBeingWritten = true;
        try {
            request.writeTo("/tmp/" + name);
            if (Files.size(path) > mostBytes) {
                throw new IOException("the dump is too long");
            }
            return Files.readString(path);
        } finally {
            delete(path);
            isBeingWritten = false;
        }
    }

    private void prepare() {
        if (!hasHook) {
            hasHook = true;
            deleteAll(false);
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(this::end, "lifeguard-dump-file"));
            } catch (IllegalStateException ignored) { // the program ends already
                return;
            }
        }
    }

    /** The JVM may still write, or not have begun. */
    private void end() {
        for (int waited = 0; isBeingWritten && waited < PATIENCE_MILLIS; waited += PAUSE_MILLIS) {
            LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000L);
        }
        deleteAll(true);
    }

    private void deleteAll(boolean areOwn) {
        String own = prefix + ProcessHandle.current().pid() + "-";
        Instant stale = Instant.now().minus(STALE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*.json")) {
            for (Path file : files) {
                boolean isOwn = file.getFileName().toString().startsWith(own);
                if (areOwn ? isOwn : Files.getLastModifiedTime(file).toInstant().isBefore(stale)) {
                    delete(file);
                }
            }
        } catch (IOException | RuntimeException ignored) { // the JVM has ended, or its directory may not be read
            return;
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) { // it belongs to another user
            return;
        }
    }
}
