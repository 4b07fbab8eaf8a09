package io.lifeguard.pool.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No deadlock, no lost wake-up, no leaked thread and no lost task when pools end while submitters are at work. */
class ShutdownRacesTest {

    private static final int RACES = Integer.getInteger("lifeguard.races", 1_000);
    private static final long SEED = Long.getLong("lifeguard.seed", System.nanoTime());

    @Test
    void shutdown_submittersWait_everyTaskIsAccountedFor() throws InterruptedException {
        race(RACES);
    }

    /**
     * As many threads that only burn CPU as there are processors: every step of a race may be cut off by the scheduler.
     */
    @Tag("slow")
    @Test
    void shutdown_submittersWaitUnderLoad_everyTaskIsAccountedFor() throws InterruptedException {
        List<Thread> burners = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread burner = new Thread(ShutdownRacesTest::burn, "burner");
            burner.setDaemon(true);
            burner.start();
            burners.add(burner);
        }
        try {
            race(Math.max(1, RACES / 2));
        } finally {
            burners.forEach(Thread::interrupt);
        }
    }

    private static void race(int count) throws InterruptedException {
        ShutdownRaces races = new ShutdownRaces(SEED);
        List<String> complaints = races.run(count);
        assertThat(complaints).as("races with seed %d", SEED).isEmpty();
        assertThat(races.total().accountedFor()).isEqualTo(races.total().tasks);
    }

    private static void burn() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }
}
