package io.lifeguard.pool.tools.watch;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The files into which another JVM writes its dumps with virtual threads. Thread-safe for one thread that asks, and the
 * end of the program.
 *
 * <p>Such a file is one of this program that has no name any longer, and that the JVM reaches as an open file of this
 * process. So nothing stays behind, whatever ends this program, and a JVM that answers later finds no file. A JVM of
 * another user or container does not reach it, and writes into its own {@code /tmp}. None of these files stays behind
 * if this program ends by itself or by a signal that it can handle, unless the JVM takes two seconds longer. One that
 * {@code kill -9} left behind is deleted before the next dump of that JVM.
 */
final class DumpFile {

    private static final Path SELF = Path.of("/proc/self");
    private static final int MOST_LATE = 16; // a watch may last for weeks
    private static final Duration STALE = Duration.ofMinutes(1); // no dump takes as long
    private static final int PATIENCE_MILLIS = 2_000; // at the end of this program
    private static final int PAUSE_MILLIS = 20;

    private final Path directory; // the JVM's /tmp, in its own container, where its socket is, too
    private final String prefix; // of the names of all dumps of that JVM
    private boolean hasHook; // confined to the thread that asks

    // Files whose request has failed, confined to that thread. They stay open: the JVM may open one of that number yet.
    private final List<FileChannel> late = new ArrayList<>();
    private boolean isReached; // whether the JVM may reach files of this process; confined to that thread

    // Written by the thread that asks. The end of the program reads it; a stale read deletes the file a moment later.
    private volatile boolean isBeingWritten;

    DumpFile(Path proc, long pid) {
        this.directory = proc.resolve("root/tmp");
        this.prefix = ".lifeguard-" + pid + "-";
        this.isReached = hasSameNumbers(proc);
    }

    /** Whether a process sees the same numbers of processes. */
    private static boolean hasSameNumbers(Path proc) {
        try {
            Path numbers = Path.of("ns", "pid");
            return Files.readSymbolicLink(proc.resolve(numbers)).equals(Files.readSymbolicLink(SELF.resolve(numbers)));
        } catch (IOException | UnsupportedOperationException ignored) { // no Linux, or another user's
            return false;
        }
    }

    /** Has a JVM write a dump. */
    @FunctionalInterface
    interface Request {
        void writeTo(String optionsAndFile) throws IOException;
    }

    /** {@return the dump} */
    String read(Request request, long mostBytes) throws IOException {
        if (isReached && late.size() < MOST_LATE) {
            String dump = readNameless(request, mostBytes);
            if (!dump.isEmpty()) {
                return dump;
            }
            isReached = false;
        }
        return readNamed(request, mostBytes);
    }

    /** {@return the dump; empty if the JVM did not reach the file} */
    private String readNameless(Request request, long mostBytes) throws IOException {
        String name = prefix + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".json";
        Path path = Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
        // Linux deletes the name at once
        FileChannel file = FileChannel.open(path, CREATE_NEW, READ, WRITE, DELETE_ON_CLOSE);
        late.add(file);
        Optional<String> number = numberOf(path);
        if (number.isPresent()) {
            request.writeTo("-overwrite /proc/" + ProcessHandle.current().pid() + "/fd/" + number.get());
        }
        late.remove(file);
        try (file) {
            if (file.size() > mostBytes) {
                throw new IOException("the dump is too long");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
                Thread.onSpinWait();
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }

    private static Optional<String> numberOf(Path deleted) throws IOException {
        Path link = Path.of(deleted + " (deleted)");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SELF.resolve("fd"), each -> isTo(each, link))) {
            for (Path file : files) {
                return Optional.of(file.getFileName().toString());
            }
        }
        return Optional.empty();
    }

    private static boolean isTo(Path each, Path link) {
        try {
            return Files.readSymbolicLink(each).equals(link);
        } catch (IOException ignored) { // it was closed meanwhile
            return false;
        }
    }

    /** The JVM replaces no file, so each has another name. */
    private String readNamed(Request request, long mostBytes) throws IOException {
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
