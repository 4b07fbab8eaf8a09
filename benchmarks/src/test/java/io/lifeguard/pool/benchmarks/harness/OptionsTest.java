package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void parse_nothing_meansEverything() {
        Options options = Options.parse();

        assertThat(scenarios(options)).contains("bounded-1us", "burst", "memory", "cpu-sparse");
        assertThat(options.rounds()).isEqualTo(10);
        assertThat(options.freshTasks()).isTrue();
        assertThat(options.withPrimitives()).isTrue();
        assertThat(options.quick()).isFalse();
    }

    @Test
    void parse_quick_meansFewOfEverything() {
        Options options = Options.parse("--quick");

        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.plan()).hasSizeLessThan(Options.parse().plan().size() / 3);
        assertThat(options.withPrimitives()).isFalse();
    }

    @Test
    void parse_scenarioAndRival_includesTheBaseline() {
        Options options = Options.parse("--scenario", "bounded-1us,burst", "--rival", "naive", "--rounds", "2");

        assertThat(options.plan())
                .extracting(pairing ->
                        pairing.first().name() + " " + pairing.rival().name())
                .containsExactlyInAnyOrder("bounded-1us tpe-lbq", "bounded-1us naive", "burst tpe-lbq", "burst naive");
        assertThat(options.rounds()).isEqualTo(2);
        assertThat(options.withPrimitives()).isFalse();
    }

    @Test
    void parse_quickWithScenario_takesTheNamedOne() {
        assertThat(scenarios(Options.parse("--quick", "--scenario", "wake-up"))).containsOnly("wake-up");
    }

    @Test
    void parse_trailingStar_matchesAnyEnding() {
        assertThat(scenarios(Options.parse("--scenario", "unbounded-*")))
                .containsOnly("unbounded-empty", "unbounded-1us", "unbounded-10us", "unbounded-100us");
    }

    @Test
    void parse_others_areKept() {
        Options options = Options.parse(
                "--out", "there", "--java", "bin/java", "--seed", "-5", "--tasks", "shared", "--no-primitives");

        assertThat(options.out()).isEqualTo(Path.of("there"));
        assertThat(options.java()).isEqualTo(Path.of("bin/java"));
        assertThat(options.seed()).isEqualTo(-5);
        assertThat(options.freshTasks()).isFalse();
        assertThat(options.withPrimitives()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --fast                      | unknown option '--fast' (try --help)
                    bounded-1us                 | unknown option 'bounded-1us' (try --help)
                    --rounds                    | --rounds needs a value (try --help)
                    --rounds --quick            | --rounds needs a value (try --help)
                    --rounds 0                  | --rounds must be a whole number from 1 to 1000 (was '0')
                    --rounds many               | --rounds must be a whole number from 1 to 1000 (was 'many')
                    --tasks old                 | --tasks must be fresh or shared (was 'old')
                    --rival tomcat              | unknown rival 'tomcat'; there are: tpe-lbq,
                    --scenario bounded-1us,x    | unknown scenario 'x'; there are: bounded-empty,
                    --scenario y*               | unknown scenario 'y*'; there are:
                    --primitives --rival naive  | --primitives runs no scenario and no rival
                    --scenario memory --rival tpe-abq | can take part in any of the scenarios [memory]
                    """)
    void parse_nonsense_saysWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.trim().split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    private static List<String> scenarios(Options options) {
        return options.plan().stream()
                .map(pairing -> pairing.first().name())
                .distinct()
                .toList();
    }
}
