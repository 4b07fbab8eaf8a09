package io.lifeguard.pool.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.corpus.run.MachineKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void parse_all_areTaken() throws UsageException {
        Options options = Options.parse(
                "--only", "a,b", "--quick", "--runs", "5", "--foreign-load", "2", "--no-sizing", "--window", "500");
        assertThat(options.only()).containsExactlyInAnyOrder("a", "b");
        assertThat(options.runs()).isEqualTo(5);
        assertThat(options.foreignLoad()).isEqualTo(2);
        assertThat(options.sizing()).isFalse();
        assertThat(options.findings()).isTrue();
        assertThat(options.length()).isEqualTo(Duration.ofMillis(3_500));
        assertThat(options.window()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void parse_longForms_haveTheirOwnLengthAndNoSizes() throws UsageException {
        Options minutes = Options.parse("--minutes", "--quick");
        assertThat(minutes.length()).isEqualTo(Duration.ofSeconds(90));
        assertThat(minutes.sizing()).isFalse();
        assertThat(Options.parse("--cold").length()).isEqualTo(Duration.ofSeconds(15));
        assertThat(Options.parse("--outside").length()).isEqualTo(Duration.ofSeconds(16));
        assertThat(Options.parse("--outside").sizing()).isFalse();
        assertThat(Options.parse("--minutes", "--seconds", "20").length()).isEqualTo(Duration.ofSeconds(20));
        assertThatThrownBy(() -> Options.parse("--minutes", "--sizing")).hasMessageContaining("nothing to do");
    }

    @Test
    void parse_nonsense_namesItAndItsValue() {
        assertThatThrownBy(() -> Options.parse("--runs", "none"))
                .hasMessageContaining("--runs")
                .hasMessageContaining("none");
        assertThatThrownBy(() -> Options.parse("--runs")).hasMessageContaining("needs a value");
        assertThatThrownBy(() -> Options.parse("--target-java", "/nowhere"))
                .hasMessage("--target-java must be the home of a JDK (was \"/nowhere\", which has no bin/java)");
        assertThatThrownBy(() -> Options.parse("--fast")).hasMessageContaining("--fast");
        assertThatThrownBy(() -> Options.parse("--sizing", "--no-sizing")).hasMessageContaining("nothing to do");
    }

    @Test
    void parse_machines_areTakenInOrder() throws UsageException {
        Options options = Options.parse("--machine", "one-cpu,beside", "--quick");
        assertThat(options.machines()).containsExactly(MachineKind.ONE_CPU, MachineKind.BESIDE);
        assertThat(options.sizing()).isFalse();
        assertThat(options.fileName()).isEqualTo("machines-quick.md");
        assertThat(Options.parse("--cold", "--machine", "quota").fileName()).isEqualTo("machines-cold.md");
    }

    @Test
    void parse_machineNonsense_namesWhatThereIs() {
        assertThatThrownBy(() -> Options.parse("--machine", "quiet,fast"))
                .hasMessage("--machine: there is no machine \"fast\"; there are: quiet, beside, one-cpu, quota,"
                        + " slow-compiler");
        assertThatThrownBy(() -> Options.parse("--outside", "--machine", "quiet"))
                .hasMessageContaining("--minutes and --cold");
    }
}
