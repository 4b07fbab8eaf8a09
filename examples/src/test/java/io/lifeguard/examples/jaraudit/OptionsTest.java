package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {

    @Test
    void parse_nothing_givesTheDefaults() {
        Options options = parse();
        assertThat(options.directory()).isEmpty();
        assertThat(options.workers()).isEqualTo(16);
        assertThat(options.queue()).isEqualTo(8);
        assertThat(options.limit()).isEqualTo(800);
        assertThat(options.catalogueDelays()).containsExactly(Duration.ofMillis(50));
        assertThat(options.rounds()).isEmpty();
        assertThat(options.help()).isFalse();
    }

    @Test
    void parse_everything_givesWhatWasSaid() {
        Options options = parse(
                "--workers", "4", "--queue=2", "--limit", "7", "some/where", "--catalogue-ms", "0,9", "--rounds=5");
        assertThat(options)
                .isEqualTo(new Options(
                        Optional.of(Path.of("some/where")),
                        4,
                        2,
                        7,
                        List.of(Duration.ZERO, Duration.ofMillis(9)),
                        OptionalInt.of(5),
                        false));
    }

    @Test
    void parse_directoryBehindDoubleDash_mayBeginWithADash() {
        assertThat(parse("--", "--workers").directory()).contains(Path.of("--workers"));
        assertThat(parse("--", "--workers=1").directory()).contains(Path.of("--workers=1"));
    }

    @Test
    void parse_directoryWithAnEqualsSign_staysWhole() {
        assertThat(parse("a=b").directory()).contains(Path.of("a=b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "--workers 0 | --workers must be a whole number from 1 to 1000 (was \"0\")",
                "--workers 1001 | --workers must be a whole number from 1 to 1000 (was \"1001\")",
                "--workers many | --workers must be a whole number from 1 to 1000 (was \"many\")",
                "--workers 99999999999 | --workers must be a whole number from 1 to 1000 (was \"99999999999\")",
                "--workers= | --workers must be a whole number from 1 to 1000 (was \"\")",
                "--queue -5 | --queue must be a whole number from 1 to 1000000 (was \"-5\")",
                "--limit 0 | --limit must be a whole number from 1 to 2147483647 (was \"0\")",
                "--catalogue-ms 5, | --catalogue-ms must be a whole number from 0 to 10000 (was \"\")",
                "--catalogue-ms 1.5 | --catalogue-ms must be a whole number from 0 to 10000 (was \"1.5\")",
                "--rounds 21 | --rounds must be a whole number from 1 to 20 (was \"21\")",
                "--rounds | --rounds needs a value",
                "--fast | there is no option \"--fast\"",
                "-w | there is no option \"-w\"",
                "--workers=a=b | --workers must be a whole number from 1 to 1000 (was \"a=b\")",
                "-- | -- needs a value",
                "one two | only one directory can be audited (was \"one\" and \"two\")",
            })
    void parse_nonsense_isNamed(String arguments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(arguments.split(" ", -1)))
                .withMessage(message);
    }

    @Test
    void parse_emptyDirectory_isNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> parse("")).withMessage("not a directory name: \"\"");
    }

    private static Options parse(String... arguments) {
        return Options.parse(List.of(arguments));
    }
}
