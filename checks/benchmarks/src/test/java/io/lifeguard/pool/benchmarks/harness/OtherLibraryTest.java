package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherLibraryTest {
    private static final String ENTRY = "which.txt";

    @TempDir
    private Path directory;

    /** Services are found in all jars of a class path: the library's own must not be there at all. */
    @Test
    void classPath_jarThatNamesOthers_hasTheOtherLibraryOnly() throws IOException {
        Path lib = Files.createDirectory(directory.resolve("lib"));
        jar(lib.resolve("pool-core-2.jar"), "", "after");
        jar(lib.resolve("other-1.jar"), "", "other");
        Path benchmarks = jar(directory.resolve("benchmarks.jar"), "lib/pool-core-2.jar lib/other-1.jar", "benchmarks");
        Path before = jar(directory.resolve("before.jar"), "", "before");
        Path scratch = Files.createDirectory(directory.resolve("scratch"));

        String classPath = OtherLibrary.classPath(benchmarks.toString(), before, scratch);

        assertThat(contentsIn(classPath)).containsExactly("before", "benchmarks", "other");
    }

    @Test
    void classPath_separateEntries_leavesOutTheLibrary() throws IOException {
        Path own = jar(directory.resolve("pool-core-2.jar"), "", "after");
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path before = jar(directory.resolve("before.jar"), "", "before");

        assertThat(OtherLibrary.classPath(own + File.pathSeparator + classes, before, directory))
                .isEqualTo(before + File.pathSeparator + classes);
    }

    private static Path jar(Path path, String classPath, String content) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path), manifest)) {
            jar.putNextEntry(new JarEntry(ENTRY));
            jar.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return path;
    }

    private static List<String> contentsIn(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        List<String> contents = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
            for (URL found : Collections.list(loader.getResources(ENTRY))) {
                contents.add(new String(found.openStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return contents;
    }
}
