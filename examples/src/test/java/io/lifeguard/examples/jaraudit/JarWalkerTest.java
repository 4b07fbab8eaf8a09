package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JarWalkerTest {

    @TempDir
    Path directory;

    @Test
    void walk_nestedDirectories_findsJarsInOrder() throws Exception {
        files("b/2.jar", "a/deep/er/1.jar", "z.JAR", "a/notes.txt", "a/deep/1.jar.sha1", "jar");
        assertThat(names()).containsExactly("a/deep/er/1.jar", "b/2.jar", "z.JAR");
    }

    @Test
    void walk_directoryNamedLikeAJar_isADirectory() throws Exception {
        files("x.jar/inner.jar");
        assertThat(names()).containsExactly("x.jar/inner.jar");
    }

    @Test
    void walk_linkToAParent_isNotFollowed() throws Exception {
        files("a/1.jar");
        Files.createSymbolicLink(directory.resolve("a/loop"), directory);
        Files.createSymbolicLink(directory.resolve("a/loop.jar"), directory);
        assertThat(names()).containsExactly("a/1.jar");
    }

    @Test
    void walk_linkToAJarBelow_countsOnce() throws Exception {
        files("lib/a-1.0.jar");
        Files.createSymbolicLink(directory.resolve("a.jar"), directory.resolve("lib/a-1.0.jar"));
        JarList list = JarWalker.walk(directory);
        assertThat(list.jars()).extracting(Jar::name).containsExactly("lib/a-1.0.jar");
        assertThat(list.links()).isEqualTo(1);
    }

    @Test
    void walk_twoLinksToAJarElsewhere_countOnce(@TempDir Path elsewhere) throws Exception {
        Path target = Files.createFile(elsewhere.resolve("real.jar"));
        Files.createSymbolicLink(directory.resolve("one.jar"), target);
        Files.createSymbolicLink(directory.resolve("two.jar"), target);
        JarList list = JarWalker.walk(directory);
        assertThat(list.jars()).extracting(Jar::name).containsExactly("one.jar");
        assertThat(list.links()).isEqualTo(1);
    }

    @Test
    void walk_danglingLink_isAJarToReport() throws Exception {
        Files.createSymbolicLink(directory.resolve("gone.jar"), directory.resolve("nowhere"));
        assertThat(names()).containsExactly("gone.jar");
    }

    @Test
    void walk_startThatIsALink_isFollowed() throws Exception {
        files("real/a.jar");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("real"));
        assertThat(JarWalker.walk(link).jars()).extracting(Jar::name).containsExactly("a.jar");
    }

    @Test
    void walk_nameWithControlCharacters_isPrintable() throws Exception {
        files("evil\u001b[2J\n.jar");
        assertThat(names()).containsExactly("evil?[2J?.jar");
    }

    @Test
    void walk_unreadableDirectory_goesOn() throws Exception {
        files("a.jar", "locked/b.jar");
        Path locked = directory.resolve("locked");
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
        try {
            assumeFalse(Files.isReadable(locked), "this user may read everything");
            JarList list = JarWalker.walk(directory);
            assertThat(list.jars()).hasSize(1);
            assertThat(list.unreadable()).containsExactly("locked: permission denied");
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void walk_missingDirectory_throws() {
        assertThatIOException().isThrownBy(() -> JarWalker.walk(directory.resolve("missing")));
    }

    @Test
    void walk_interrupted_stops() throws Exception {
        files("a.jar");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> JarWalker.walk(directory));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void sample_moreThanTheLimit_isSpreadEvenly() throws Exception {
        files(IntStream.range(0, 10).mapToObj(i -> i + ".jar").toArray(String[]::new));
        JarList sample = JarWalker.walk(directory).sample(5);
        assertThat(sample.jars()).extracting(Jar::name).containsExactly("0.jar", "2.jar", "4.jar", "6.jar", "8.jar");
        assertThat(sample.found()).isEqualTo(10);
    }

    @Test
    void sample_notMoreThanTheLimit_isAll() throws Exception {
        files("a.jar", "b.jar");
        JarList list = JarWalker.walk(directory);
        assertThat(list.sample(2)).isEqualTo(list);
    }

    private List<String> names() throws Exception {
        return JarWalker.walk(directory).jars().stream().map(Jar::name).toList();
    }

    private void files(String... names) throws IOException {
        for (String name : names) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
    }
}
