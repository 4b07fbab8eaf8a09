package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who says a finding, in a JVM of its own: there is one list of what was said. */
class FirstSentenceTest {

    @TempDir
    Path directory;

    @Test
    void run_findingIsSaidByOneOfThemOnly_alsoWhenTheMonitorFailsOnce() throws Exception {
        String text = ChildJvm.run(
                directory,
                "-cp",
                FirstPoolTest.classPath(directory, FirstSentenceTest.class, Said.class),
                Said.class.getName());

        assertThat(text)
                .contains("LEFT 1, of second", "AFTER A FAILURE 1", "MADE 0", "queued=\"3\"")
                .containsOnlyOnce("pool 'second': all wait. Look [some-finding]")
                .doesNotContain("pool 'first'", "pool 'third'", "a frame");
    }

    /** Runs in a JVM of its own. */
    static final class Said {

        private Said() {}

        public static void main(String[] arguments) {
            FirstSentence.of(finding("first")); // its thread could not start
            FirstSentence.of(finding("second")).run();
            System.out.println("LEFT " + SaidFinding.takeOver().size() + ", of "
                    + SaidFinding.takeOver().get(0).pool());
            FirstSentence.of(finding("third")).run(); // too late
            System.out.println("AFTER A FAILURE " + SaidFinding.takeOver().size());
            SaidFinding.forget();
            System.out.println("MADE " + SaidFinding.takeOver().size());
            System.exit(0);
        }

        private static SaidFinding finding(String pool) {
            return new SaidFinding(
                    InstrumentedThreadPoolExecutor.named(pool).build(),
                    pool,
                    "some-finding",
                    Bottleneck.LOCK,
                    "all wait",
                    "Look",
                    Map.of("queued", 3, "stack", List.of("a frame")));
        }
    }
}
