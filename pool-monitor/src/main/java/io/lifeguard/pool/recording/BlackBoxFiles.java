package io.lifeguard.pool.recording;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes black boxes into one directory, and keeps the newest {@value #MOST_FILES} of them. Thread-safe if one thread
 * at a time writes.
 *
 * <p>A file is written under another name first, and removed if that fails. So a full disk leaves the directory as it
 * was. What a process leaves that is killed while it writes, the next file removes after an hour. A file has at most
 * about 1 MiB, which the {@link BlackBox} sees to.
 */
public final class BlackBoxFiles {

    /** Of all processes that use the directory: 10 files take about 10 MiB. */
    static final int MOST_FILES = 10;

    private static final String PREFIX = "lifeguard-";
    private static final String SUFFIX = ".jfr";
    private static final String UNFINISHED = ".part";

    /** To write a file of 1 MiB takes much less, also on a slow disk of a network. */
    private static final Duration LONGEST_WRITE = Duration.ofHours(1);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final Path directory;

    /** Files in a directory, which is created with the first file. */
    public BlackBoxFiles(Path directory) {
        this.directory = directory;
    }

    /** What writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes a file, then removes the oldest ones beyond {@value #MOST_FILES}.
     *
     * @throws IOException if it cannot be written; then there is none. Or if an old file cannot be removed
     */
    public Path write(Instant now, Content content) throws IOException {
        Files.createDirectories(directory);
        String name = PREFIX + TIME.format(now) + "-" + ProcessHandle.current().pid() + SUFFIX;
        Path file = directory.resolve(name);
        Path part = directory.resolve(name + UNFINISHED);
        try {
            try (OutputStream out = Files.newOutputStream(part)) {
                content.writeTo(out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException | Error e) { // also where memory is short
            removeQuietly(part, e);
            throw e;
        }
        removeOldest(file);
        return file;
    }

    private static void removeQuietly(Path part, Throwable reason) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /**
     * Names begin with the time, so the first names are the oldest files. Only files with such names are removed, and
     * never the new one: where the clock was set back, its name comes before those of older files.
     */
    private void removeOldest(Path written) throws IOException {
        List<Path> all;
        try (Stream<Path> listed = Files.list(directory)) {
            all = listed.sorted(Comparator.comparing(Path::getFileName)).toList();
        }
        FileTime now = Files.getLastModifiedTime(written);
        all.stream().filter(file -> isOurs(file, SUFFIX + UNFINISHED)).forEach(part -> removeIfAbandoned(part, now));
        List<Path> files = all.stream()
                .filter(file -> isOurs(file, SUFFIX) && !file.equals(written))
                .toList();
        for (Path file : files.subList(0, Math.max(0, files.size() + 1 - MOST_FILES))) {
            Files.deleteIfExists(file);
        }
    }

    private static boolean isOurs(Path file, String suffix) {
        return file.getFileName().toString().matches("lifeguard-\\d{8}-\\d{6}-\\d{3}-\\d+" + Pattern.quote(suffix));
    }

    /**
     * By the file system's own clock, which may be another machine's.
     *
     * @param now when the new file was written
     */
    private static void removeIfAbandoned(Path part, FileTime now) {
        try {
            Instant begun = Files.getLastModifiedTime(part).toInstant();
            if (begun.isBefore(now.toInstant().minus(LONGEST_WRITE))) {
                Files.deleteIfExists(part);
            }
        } catch (IOException ignored) {
            // Another process has just finished it, or another user owns it. The new file is complete all the same.
        }
    }
}
