package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.RecordedTerminal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ProgressTest {

    private static final List<Jar> JARS = Stream.of("a.jar", "b.jar", "c.jar", "d.jar")
            .map(name -> new Jar(Path.of(name), name))
            .toList();

    private final ThreadPoolExecutor pool = Policy.WAITING.openPool(4, 2);
    private final ResultSheet results = new ResultSheet(JARS);

    @AfterEach
    void shutdown() {
        pool.shutdownNow();
    }

    @Test
    void tick_interactive_overwritesOneLineAndClearsIt() {
        RecordedTerminal terminal = RecordedTerminal.interactive();
        try (Progress progress = new Progress(terminal.terminal(), "waiting", results, pool)) {
            progress.tick();
            results.record(0, JarReport.unreadable(JARS.get(0), "gone"));
            progress.tick();
            progress.done(1_500_000_000);
        }
        assertThat(terminal.err())
                .containsPattern("^\rwaiting +\\[\\.{10}] 0/4 audits, 0\\.\\d\\d s, 0/4 busy *\r")
                .containsPattern("\rwaiting +\\[##\\.{8}] 1/4 audits, .*busy *\r +\rwaiting +4 audits in 1\\.50 s\\R$");
    }

    @Test
    void tick_interactive_neverWraps() {
        RecordedTerminal terminal = RecordedTerminal.interactive();
        try (Progress progress = new Progress(terminal.terminal(), "x".repeat(100), results, pool)) {
            progress.tick();
        }
        assertThat(terminal.err().split("\r"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    @Test
    void tick_notInteractive_printsLines() {
        RecordedTerminal terminal = RecordedTerminal.plain();
        try (Progress progress = new Progress(terminal.terminal(), "waiting", results, pool)) {
            progress.tick();
        }
        assertThat(terminal.err())
                .matches("waiting +0 of 4 audits, 0\\.\\d\\d s, 0 of 4 workers busy\\R")
                .doesNotContain("\r0");
    }

    @Test
    void tick_closed_printsNothing() {
        RecordedTerminal terminal = RecordedTerminal.plain();
        Progress progress = new Progress(terminal.terminal(), "waiting", results, pool);
        progress.close();
        progress.tick();
        assertThat(terminal.err()).isEmpty();
    }
}
