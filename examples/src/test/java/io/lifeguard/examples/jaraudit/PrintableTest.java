package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrintableTest {

    @Test
    void text_controlCharacters_areReplaced() {
        assertThat(Printable.text("a\u001b[2Jb\rc\u009bd\u202ee\u2028f")).isEqualTo("a?[2Jb?c?d?e?f");
    }

    @Test
    void text_long_isCut() {
        assertThat(Printable.text("x".repeat(1_000))).hasSize(303).endsWith("x...");
    }

    @Test
    void reason_knownFailures_areInWords() {
        assertThat(Printable.reason(new AccessDeniedException("/secret"))).isEqualTo("permission denied");
        assertThat(Printable.reason(new NoSuchFileException("/gone"))).isEqualTo("no such file");
        assertThat(Printable.reason(new FileSystemException("/disk", null, "Input/output error")))
                .isEqualTo("Input/output error");
        assertThat(Printable.reason(new IOException())).isEqualTo("IOException");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1.0 kB",
        "999949, 999.9 kB",
        "999950, 1.0 MB",
        "169399458, 169.4 MB",
        "9223372036854775807, 9.2 EB"
    })
    void bytes_anyNumber_hasTheUnitThatSuits(long bytes, String text) {
        assertThat(Printable.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.00 s", "1234567890, 1.23 s", "9996000000, 10.0 s", "12340000000, 12.3 s", "123400000000, 123 s"})
    void seconds_anyTime_hasThreeDigits(long nanos, String text) {
        assertThat(Printable.seconds(nanos)).isEqualTo(text);
    }

    @Test
    void count_oneAndMany_agreeWithTheNoun() {
        assertThat(Printable.count(1, "jar")).isEqualTo("1 jar");
        assertThat(Printable.count(0, "jar")).isEqualTo("0 jars");
        assertThat(Printable.count(12_345, "jar")).isEqualTo("12,345 jars");
    }
}
