package io.lifeguard.pool.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files below a folder, also behind links, each once. Not thread-safe. */
final class FilesBelow extends SimpleFileVisitor<Path> {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** The longest number in a name of a file that is ordered by its value. */
    private static final int MOST_DIGITS = 20;

    private final Path folder;
    private final BiConsumer<String, String> cannotRead;
    private final Map<Path, Path> found = new TreeMap<>(); // as it was found, by what it really is

    /**
     * Makes the files.
     *
     * @param cannotRead receives a file or folder that cannot be read, and why
     */
    FilesBelow(Path folder, BiConsumer<String, String> cannotRead) {
        this.folder = folder;
        this.cannotRead = cannotRead;
    }

    /** {@return the files in the order of their names, where {@code dump-9} is before {@code dump-10}} */
    Iterable<Path> inOrder() {
        try {
            Files.walkFileTree(folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, this);
        } catch (IOException e) {
            throw new UncheckedIOException("no method of a visitor throws", e);
        }
        return found.values().stream()
                .sorted(Comparator.comparing(FilesBelow::inDigitsOfOneLength))
                .toList();
    }

    private static String inDigitsOfOneLength(Path file) {
        return NUMBER.matcher(file.toString()).replaceAll(FilesBelow::padded);
    }

    private static String padded(MatchResult number) {
        String digits = number.group();
        return "0".repeat(Math.max(0, MOST_DIGITS - digits.length())) + digits;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        try {
            if (attributes.isRegularFile()) { // reading a pipe may never end
                found.putIfAbsent(file.toRealPath(), file);
            }
        } catch (IOException e) {
            return visitFileFailed(file, e);
        }
        return FileVisitResult.CONTINUE;
    }

    /** A link that leads back to its own folder shows nothing new. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        if (!(e instanceof FileSystemLoopException)) {
            cannotRead.accept(file.toString(), e.toString());
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
        if (e != null) {
            cannotRead.accept(directory.toString(), e.toString());
        }
        return FileVisitResult.CONTINUE;
    }
}
