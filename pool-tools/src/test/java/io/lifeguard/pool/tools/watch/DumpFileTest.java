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
}
