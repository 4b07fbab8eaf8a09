package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No dump stays behind in the watched JVM's directory. */
class DumpFileTest {

    @TempDir
    private Path proc;

    private Path tmp;
    private DumpFile file;

    @BeforeEach
    void makeDirectory() throws IOException {
        tmp = Files.createDirectories(proc.resolve("root/tmp"));
        file = new DumpFile(proc, 4711);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(tmp)) {
            return files.map(each -> each.getFileName().toString()).toList();
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(proc.resolve("root" + name), text);
    }

    @Test
    void read_dumpWasWritten_isDeleted() throws IOException {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThat(file.read(
                            name -> {
                                asked.add(name);
                                write(name, "{}");
                            },
                            10))
                    .isEqualTo("{}");
        }
        assertThat(asked).doesNotHaveDuplicates().allMatch(name -> name.startsWith("/tmp/.lifeguard-4711-"));
        assertThat(names()).isEmpty();
    }

    @Test
    void read_tooLongOrNotWritten_throwsAndLeavesNothing() throws IOException {
        assertThatThrownBy(() -> file.read(name -> write(name, "{...........}"), 10))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.read(
                        name -> {
                            write(name, "{");
                            throw new IOException("the JVM has ended");
                        },
                        10))
                .hasMessage("the JVM has ended");
        assertThat(names()).isEmpty();
    }

    /** A watcher that was killed while the JVM wrote leaves a file; those of other JVMs are not touched. */
    @Test
    void read_earlierWatcherWasKilled_itsFileIsDeleted() throws IOException {
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofMinutes(2)));
        for (String name : List.of(".lifeguard-4711-17-1.json", ".lifeguard-47110-17-1.json", "mine.json")) {
            Files.setLastModifiedTime(Files.writeString(tmp.resolve(name), "{}"), old);
        }
        Files.writeString(tmp.resolve(".lifeguard-4711-18-1.json"), "{}"); // another watcher's, just now

        file.read(name -> write(name, "{}"), 10);

        assertThat(names())
                .containsExactlyInAnyOrder(".lifeguard-47110-17-1.json", "mine.json", ".lifeguard-4711-18-1.json");
    }

    /** As the JVM does it: it opens the file by its path, and replaces what is in it. */
    @Test
    void read_jvmReachesThisProcess_fileHasNoNameMeanwhile() throws IOException {
        DumpFile own = new DumpFile(Path.of("/proc/self"), 4711);
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThat(own.read(
                            where -> {
                                asked.add(where);
                                Files.writeString(Path.of(where.replace("-overwrite ", "")), "{x}");
                                assertThat(namesInTmp()).isEmpty();
                            },
                            10))
                    .isEqualTo("{x}");
        }
        assertThat(asked).allMatch(where -> where.startsWith("-overwrite /proc/"));
        assertThatThrownBy(() -> own.read(
                        where -> Files.writeString(Path.of(where.replace("-overwrite ", "")), "{...........}"), 10))
                .isInstanceOf(IOException.class);
    }

    /** Otherwise a JVM that answers late would overwrite the file that has got that number. */
    @Test
    void read_jvmDoesNotAnswerInTime_numberOfItsFileIsNotUsedAgain() throws IOException {
        DumpFile own = new DumpFile(Path.of("/proc/self"), 4711);
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            assertThatThrownBy(() -> own.read(
                            where -> {
                                asked.add(where);
                                throw new IOException("no answer");
                            },
                            10))
                    .hasMessage("no answer");
        }
        assertThat(asked).doesNotHaveDuplicates();
        assertThat(asked.subList(0, 16)).allMatch(where -> where.startsWith("-overwrite /proc/"));
        assertThat(asked.get(16)).startsWith("/tmp/.lifeguard-4711-"); // not all of this program's files
        Files.writeString(Path.of(asked.get(0).replace("-overwrite ", "")), "{late}");
        assertThat(namesInTmp()).isEmpty();
    }

    private static List<String> namesInTmp() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith(".lifeguard-4711-"))
                    .toList();
        }
    }
}
