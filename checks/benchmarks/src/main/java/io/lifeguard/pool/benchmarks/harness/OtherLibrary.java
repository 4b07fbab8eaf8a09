package io.lifeguard.pool.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The class path of the benchmarks with another jar in the place of Lifeguard's own. Stateless. */
final class OtherLibrary {
    private static final String OWN_JARS = "pool-";

    private OtherLibrary() {}

    /**
     * A class path that has no jar of Lifeguard but this one. A jar whose manifest names others is copied without its
     * manifest, because its others would be found too.
     *
     * @param scratch a directory for the copy
     */
    static String classPath(String classPath, Path library, Path scratch) throws IOException {
        List<String> entries = new ArrayList<>(List.of(library.toString()));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            List<Path> named = Files.isRegularFile(path) ? namedIn(path) : List.of();
            if (!named.isEmpty()) {
                path = withoutManifest(path, scratch);
            }
            add(entries, path);
            named.forEach(other -> add(entries, other));
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void add(List<String> entries, Path path) {
        Path name = path.getFileName();
        if (name == null || !name.toString().startsWith(OWN_JARS)) {
            entries.add(path.toString());
        }
    }

    private static List<Path> namedIn(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String names =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return names == null
                    ? List.of()
                    : List.of(names.trim().split("\\s+", -1)).stream()
                            .map(name -> jar.toAbsolutePath().resolveSibling(name))
                            .toList();
        }
    }

    private static Path withoutManifest(Path jar, Path scratch) throws IOException {
        Path copy = scratch.resolve(jar.getFileName());
        try (JarInputStream from = new JarInputStream(Files.newInputStream(jar));
                JarOutputStream to = new JarOutputStream(Files.newOutputStream(copy))) {
            for (JarEntry entry = from.getNextJarEntry(); entry != null; entry = from.getNextJarEntry()) {
                to.putNextEntry(new JarEntry(entry.getName()));
                from.transferTo(to);
            }
        }
        return copy;
    }
}
