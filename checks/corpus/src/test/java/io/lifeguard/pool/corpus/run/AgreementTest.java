package io.lifeguard.pool.corpus.run;

import static io.lifeguard.pool.diagnosis.window.Bottleneck.CPU;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.LOCK;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.NONE;
import static io.lifeguard.pool.diagnosis.window.Bottleneck.OUTSIDE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check that the corpus makes of each window can fail, on both sides. */
class AgreementTest {

    private static final Map<String, String> LOCK_FOUND = Map.of("lock-contention", "7 of 8 wait");

    private static List<String> check(Map<String, String> found, Bottleneck decided, Bottleneck shown) {
        return Agreement.contradictions(found, decided, shown, "web");
    }

    @Test
    void contradictions_findingOfItsBottleneck_areNone() {
        assertThat(check(LOCK_FOUND, LOCK, LOCK)).isEmpty();
        assertThat(check(Map.of("queue-growing", "grows"), NONE, NONE)).isEmpty();
    }

    @Test
    void contradictions_findingUnderAnotherBottleneck_isOne() {
        assertThat(check(LOCK_FOUND, CPU, CPU)).containsExactly("lock-contention under CPU: 7 of 8 wait");
    }

    @Test
    void contradictions_bottleneckWithoutFinding_isOneUnlessItIsOlderOrMayBeRight() {
        assertThat(check(Map.of(), LOCK, LOCK)).containsExactly("LOCK without a finding: web");
        assertThat(check(Map.of("queue-growing", "grows"), LOCK, LOCK)).hasSize(1);
        assertThat(check(Map.of(), LOCK, NONE)).isEmpty();
        assertThat(check(Map.of(), OUTSIDE, OUTSIDE)).isEmpty();
    }
}
