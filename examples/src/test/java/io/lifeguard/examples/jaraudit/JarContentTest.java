package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JarContentTest {

    private static final InflationLimits STRICT = new InflationLimits(10_000, 20, 1_000_000);

    @TempDir
    Path directory;

    private Path jar;

    @BeforeEach
    void jar() {
        jar = directory.resolve("a.jar");
    }

    @Test
    void read_goodJar_countsEntriesAndBytes() throws Exception {
        TestJars.good(jar);
        JarContent content = read(InflationLimits.DEFAULT);
        assertThat(content.problem()).isEmpty();
        assertThat(content.entries()).isEqualTo(TestJars.ENTRIES);
        assertThat(content.inflatedBytes()).isEqualTo(TestJars.ENTRIES * TestJars.ENTRY_LENGTH);
    }

    @Test
    void read_truncatedJar_isAProblem() throws Exception {
        TestJars.truncate(TestJars.good(jar));
        assertThat(read(InflationLimits.DEFAULT).problem())
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("not a readable jar: "));
    }

    @Test
    void read_emptyFile_isAProblem() throws Exception {
        Files.createFile(jar);
        assertThat(read(InflationLimits.DEFAULT).problem()).contains("not a readable jar: it is empty");
    }

    @Test
    void read_webPage_showsItsBeginning() throws Exception {
        Files.writeString(jar, "<!DOCTYPE html><title>Please log in</title>");
        assertThat(read(InflationLimits.DEFAULT).problem())
                .hasValueSatisfying(problem -> assertThat(problem).endsWith("; it begins with \"<!DOCTYPE html><\""));
    }

    @Test
    void read_changedByteInStoredEntry_isFoundByItsChecksum() throws Exception {
        TestJars.stored(jar, "the quick brown fox");
        replace("quick", "quack");
        assertThat(read(InflationLimits.DEFAULT).problem())
                .contains("entry stored.txt: CRC differs from the jar's directory");
    }

    @Test
    void read_overwrittenEntries_countsTheBrokenOnes() throws Exception {
        TestJars.good(jar);
        byte[] bytes = Files.readAllBytes(jar);
        // A deflate block of type 3 is invalid, and a local header of ones is none. The jar's directory is at the end.
        java.util.Arrays.fill(bytes, 200, bytes.length - 600, (byte) 0xff);
        Files.write(jar, bytes);
        assertThat(read(InflationLimits.DEFAULT).problem())
                .hasValueSatisfying(problem ->
                        assertThat(problem).startsWith("entry content/0: ").endsWith("(and 2 more)"));
    }

    @Test
    void read_bombByRatio_stopsEarly() throws Exception {
        TestJars.bomb(jar, 900_000);
        JarContent content = read(STRICT);
        assertThat(content.problem()).contains("zip bomb: inflates to more than 20 times its length");
        assertThat(content.inflatedBytes()).isLessThan(200_000);
    }

    @Test
    void read_bombByLength_stopsEarly() throws Exception {
        TestJars.bomb(jar, 3_000_000);
        JarContent content = read(new InflationLimits(10_000, 1_000_000, 1_000_000));
        assertThat(content.problem()).contains("zip bomb: inflates to more than 1.0 MB");
        assertThat(content.inflatedBytes()).isLessThan(1_200_000);
    }

    @Test
    void read_smallJarThatDeflatesWell_isNoBomb() throws Exception {
        TestJars.bomb(jar, 9_000);
        assertThat(read(STRICT).problem()).isEmpty();
    }

    @Test
    void read_defaultLimits_catchARealBomb() throws Exception {
        TestJars.bomb(jar, 50_000_000);
        assertThat(read(InflationLimits.DEFAULT).problem())
                .contains("zip bomb: inflates to more than 100 times its length");
    }

    @Test
    void read_interrupted_stops() throws Exception {
        TestJars.good(jar);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> read(InflationLimits.DEFAULT));
        assertThat(Thread.interrupted()).isFalse();
    }

    private JarContent read(InflationLimits limits) throws Exception {
        return JarContent.read(jar, Files.size(jar), limits);
    }

    private void replace(String what, String with) throws IOException {
        String bytes = new String(Files.readAllBytes(jar), StandardCharsets.ISO_8859_1);
        Files.write(jar, bytes.replace(what, with).getBytes(StandardCharsets.ISO_8859_1));
    }
}
