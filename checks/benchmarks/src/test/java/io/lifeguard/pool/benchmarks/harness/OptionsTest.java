package io.lifeguard.pool.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void parse_nothing_leavesOutWhatRunsOnDemand() {
        assertThat(scenarios(Options.parse())).noneMatch(name -> name.startsWith("beside"));
        assertThat(Options.parse().plan())
                .noneMatch(pairing -> pairing.rival().name().equals("before"));
    }

    /** Old JVMs share a fork per queue and kind of neighbours, and young ones have a fork per cell. */
    @Test
    void parse_beside_putsOldCellsTogether() {
        List<Pairing> plan = Options.parse("--scenario", "beside").plan();

        assertThat(plan).extracting(pairing -> pairing.rival().name()).containsOnly("tpe-lbq", "lifeguard");
        assertThat(plan)
                .filteredOn(pairing -> pairing.scenarios().size() > 1)
                .hasSize(8 * 2 * 2)
                .allSatisfy(pairing -> assertThat(pairing.scenarios())
                        .hasSize(4 * 3 * 2)
                        .allMatch(each -> each.fork().equals(pairing.first().fork())));
        assertThat(plan)
                .filteredOn(pairing -> pairing.first().name().endsWith("-first"))
                .hasSize(2 * (8 * 8 + 4))
                .allMatch(pairing -> pairing.scenarios().size() == 1);
    }

    @Test
    void parse_quickBeside_isFourCells() {
        assertThat(scenarios(Options.parse("--quick", "--scenario", "beside")))
                .hasSize(4)
                .allMatch(name -> name.startsWith("beside-p4-") && name.endsWith("-first"));
    }

    @Test
    void parse_quickWithABesideCell_takesTheNamedOne() {
        assertThat(scenarios(Options.parse("--quick", "--scenario", "beside-nice-bounded-1us-64w-8p")))
                .containsOnly("beside-nice-bounded-1us-64w-8p");
    }

    @Test
    void parse_before_addsThatPool(@TempDir Path directory) throws IOException {
        Path jar = Files.createFile(directory.resolve("pool-core.jar"));

        Options options = Options.parse("--before", jar.toString());

        assertThat(options.before()).contains(jar);
        assertThat(scenarios(options)).contains("bounded-1us", "unbounded-10us", "first-workers16-1us");
        assertThat(options.plan())
                .extracting(pairing -> pairing.rival().name())
                .containsOnly("tpe-lbq", "lifeguard", "before");
        assertThat(Options.parse("--quick", "--before", jar.toString()).plan())
                .hasSameSizeAs(Options.parse("--quick").plan());
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
                    --before no-such.jar        | --before must be a jar file (was 'no-such.jar')
                    --rival before              | --rival before needs --before and a jar
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
