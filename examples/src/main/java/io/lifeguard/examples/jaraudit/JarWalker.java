package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jars below a directory. It enters no directory through a link, so it cannot loop. A file with several links
 * counts once. Not thread-safe.
 */
final class JarWalker extends SimpleFileVisitor<Path> {

    private final Path directory;
    private final List<Jar> files = new ArrayList<>();
    private final List<Jar> links = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();

    private JarWalker(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns all jars below a directory.
     *
     * @throws IOException if the directory itself cannot be read
     * @throws InterruptedException if interrupted meanwhile
     */
    static JarList walk(Path directory) throws IOException, InterruptedException {
        Path start = directory.toRealPath();
        JarWalker walker = new JarWalker(start);
        try {
            Files.walkFileTree(start, walker);
        } catch (InterruptedIOException e) {
            throw new InterruptedException();
        }
        return walker.list();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (Thread.interrupted()) {
            throw new InterruptedIOException();
        }
        if (isJarName(file) && !(attributes.isSymbolicLink() && Files.isDirectory(file))) {
            Jar jar = new Jar(file, Printable.text(directory.relativize(file).toString()));
            (attributes.isSymbolicLink() ? links : files).add(jar);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (file.equals(directory)) {
            throw failure;
        }
        unreadable.add(nameOf(file) + ": " + Printable.reason(failure));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
        if (failure != null) {
            unreadable.add(nameOf(visited) + ": " + Printable.reason(failure));
        }
        return FileVisitResult.CONTINUE;
    }

    private String nameOf(Path path) {
        return Printable.text(directory.relativize(path).toString());
    }

    private static boolean isJarName(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".jar");
    }

    private JarList list() {
        Set<Path> known = new HashSet<>();
        files.forEach(jar -> known.add(jar.path()));
        List<Jar> jars = new ArrayList<>(files);
        links.sort(Comparator.comparing(Jar::path));
        int duplicates = 0;
        for (Jar link : links) {
            if (known.add(target(link.path()))) {
                jars.add(link);
            } else {
                duplicates++;
            }
        }
        jars.sort(Comparator.comparing(Jar::path));
        unreadable.sort(Comparator.naturalOrder());
        return new JarList(directory, jars, duplicates, unreadable, jars.size());
    }

    /* A link that leads nowhere is listed as itself, so that the audit reports it. */
    private static Path target(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException ignored) {
            return link;
        }
    }
}
