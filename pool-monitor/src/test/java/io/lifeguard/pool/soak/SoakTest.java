package io.lifeguard.pool.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The soak, in the profile of that name: {@code -Dsoak.tasks} says how many tasks (10⁷), {@code -Dlifeguard.seed} from
 * which seed.
 */
@Tag("soak")
class SoakTest {

    private static final long TASKS = Long.getLong("lifeguard.soak.tasks", 10_000_000);
    private static final long SEED = Long.getLong("lifeguard.seed", System.nanoTime());

    @Test
    void soak_allShapesOfPools_everyTaskIsAccountedForOnce() throws InterruptedException {
        Soak soak = new Soak(TASKS, SEED);
        List<String> complaints = soak.run();
        assertThat(complaints).as("soak with seed %d", SEED).isEmpty();
        assertThat(soak.report().tasks()).isGreaterThanOrEqualTo(TASKS);
        assertThat(soak.report().accountedFor()).isEqualTo(soak.report().tasks());
    }
}
