package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChecksumTest {

    private static final String SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    private static final String OTHER = "0123456789012345678901234567890123456789";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                SHA1,
                SHA1 + "\n",
                "\n\n  " + SHA1 + "\r\n",
                "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
                SHA1 + "  a.jar",
                SHA1 + " */some/where/a.jar\n",
                "SHA1(a.jar)= " + SHA1,
                "a.jar: " + SHA1,
                "# made by hand\n" + SHA1,
                OTHER + "  b.jar\n" + SHA1 + "  a.jar\n",
                OTHER + "  ba.jar\n" + SHA1 + "  lib/a.jar\n",
                "SHA1(b.jar)= " + OTHER + "\nSHA1(a.jar)= " + SHA1,
            })
    void parse_anyKnownForm_findsTheChecksum(String text) {
        assertThat(Checksum.parse(text, "a.jar")).contains(SHA1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "<html>404 Not Found</html>",
                "da39a3ee5e6b4b0d3255bfef95601890afd8070",
                SHA1 + "95991b7852b855e3b0c44298",
                "zz39a3ee5e6b4b0d3255bfef95601890afd80709"
            })
    void parse_noSha1_findsNothing(String text) {
        assertThat(Checksum.parse(text, "a.jar")).isEmpty();
    }

    @Test
    void beside_noFile_isEmpty() throws IOException {
        assertThat(Checksum.beside(directory.resolve("a.jar"))).isEmpty();
    }

    @Test
    void beside_fileWithoutChecksum_throwsWithItsBeginning() throws IOException {
        Files.writeString(directory.resolve("a.jar.sha1"), "\u001b[2J<html>404 Not Found</html>" + "x".repeat(100));
        assertThatIOException()
                .isThrownBy(() -> Checksum.beside(directory.resolve("a.jar")))
                .withMessageStartingWith("holds no SHA-1 but \"?[2J<html>404 Not Found</html>")
                .withMessageEndingWith("...\"");
    }

    @Test
    void beside_emptyFile_throws() throws IOException {
        Files.createFile(directory.resolve("a.jar.sha1"));
        assertThatIOException()
                .isThrownBy(() -> Checksum.beside(directory.resolve("a.jar")))
                .withMessage("is empty");
    }

    @Test
    void beside_directory_throws() throws IOException {
        Files.createDirectory(directory.resolve("a.jar.sha1"));
        assertThatIOException()
                .isThrownBy(() -> Checksum.beside(directory.resolve("a.jar")))
                .withMessage("is not a file");
    }

    @Test
    void beside_hugeFile_readsItsBeginningOnly() throws IOException {
        Files.writeString(directory.resolve("a.jar.sha1"), " ".repeat(100_000) + SHA1);
        assertThatIOException().isThrownBy(() -> Checksum.beside(directory.resolve("a.jar")));
    }
}
