package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of black boxes are few, and a file that cannot be written leaves nothing behind. */
class BlackBoxFilesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path directory;

    @Test
    void write_intoNewDirectory_createsItAndTheFile() throws Exception {
        Path deep = directory.resolve("a/b");

        Path file = new BlackBoxFiles(deep).write(NOW, out -> out.write(7));

        assertThat(file.getParent()).isEqualTo(deep);
        assertThat(file).hasBinaryContent(new byte[] {7});
        assertThat(file.getFileName().toString())
                .startsWith("lifeguard-20260101-000000-000-")
                .endsWith(".jfr");
    }

    @Test
    void write_moreThanTheMost_keepsTheNewestAndForeignFiles() throws Exception {
        BlackBoxFiles files = new BlackBoxFiles(directory);
        Path foreign = Files.createFile(directory.resolve("lifeguard-notes.jfr"));
        for (int i = 0; i < BlackBoxFiles.MOST_FILES + 3; i++) {
            byte[] content = {(byte) i};
            files.write(NOW.plusSeconds(i), out -> out.write(content));
        }

        List<Path> left = files();
        assertThat(left).hasSize(BlackBoxFiles.MOST_FILES + 1).contains(foreign);
        assertThat(left.get(0)).hasBinaryContent(new byte[] {3});
    }

    @Test
    void write_diskFull_throwsAndLeavesTheDirectoryAsItWas() throws Exception {
        BlackBoxFiles files = new BlackBoxFiles(directory);
        Path before = files.write(NOW, out -> out.write(7));

        assertThatThrownBy(() -> files.write(NOW.plusSeconds(1), out -> {
                    out.write(new byte[1_000]);
                    throw new IOException("No space left on device");
                }))
                .hasMessage("No space left on device");

        assertThat(files()).containsExactly(before);
    }

    /** A process that is killed while it writes cannot remove what it has begun. */
    @Test
    void write_unfinishedFilesOfOthers_removesOldOnesOfOurs() throws Exception {
        Path abandoned = Files.createFile(directory.resolve("lifeguard-20251231-000000-000-7.jfr.part"));
        Path foreign = Files.createFile(directory.resolve("lifeguard-notes.jfr.part"));
        for (Path old : List.of(abandoned, foreign)) {
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        Path beingWritten = Files.createFile(directory.resolve("lifeguard-20260101-000000-000-8.jfr.part"));

        Path file = new BlackBoxFiles(directory).write(NOW, out -> out.write(7));

        assertThat(files()).containsExactlyInAnyOrder(file, foreign, beingWritten);
    }

    /** As another user's file in a shared directory. A directory stands for it, because it cannot be removed. */
    @Test
    void write_unfinishedFileCannotBeRemoved_stillRemovesTheOldest() throws Exception {
        Path stubborn = Files.createDirectory(directory.resolve("lifeguard-20251231-000000-000-7.jfr.part"));
        Files.createFile(stubborn.resolve("used"));
        Files.setLastModifiedTime(stubborn, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        BlackBoxFiles boxes = new BlackBoxFiles(directory);

        for (int i = 0; i <= BlackBoxFiles.MOST_FILES; i++) {
            assertThat(boxes.write(NOW.plusSeconds(i), out -> out.write(7))).exists();
        }

        assertThat(files()).contains(stubborn).hasSize(BlackBoxFiles.MOST_FILES + 1);
    }

    /** Ten files of later hours are there, so the new name is the first of all. */
    @Test
    void write_clockSetBack_keepsTheNewFile() throws Exception {
        BlackBoxFiles files = new BlackBoxFiles(directory);
        for (int i = 0; i < BlackBoxFiles.MOST_FILES; i++) {
            files.write(NOW.plusSeconds(i), out -> out.write(7));
        }

        Path file = files.write(NOW.minus(Duration.ofHours(1)), out -> out.write(8));

        assertThat(file).hasBinaryContent(new byte[] {8});
        assertThat(files()).hasSize(BlackBoxFiles.MOST_FILES);
    }

    @Test
    void write_memoryIsShort_leavesNothingBehind() throws Exception {
        BlackBoxFiles files = new BlackBoxFiles(directory);

        assertThatThrownBy(() -> files.write(NOW, out -> {
                    throw new OutOfMemoryError("as if");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void write_directoryIsAFile_throws() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> new BlackBoxFiles(file).write(NOW, out -> out.write(7)))
                .isInstanceOf(IOException.class);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList();
        }
    }
}
