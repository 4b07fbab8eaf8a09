package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.os.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A dump of all threads is taken only while it is sure to be cheap. */
class DumpLimitTest {

    private final DumpLimit limit = new DumpLimit(ManagementFactory.getThreadMXBean());

    @Test
    void allows_manyThreads_isFalseUntilDumpsWereCheap() {
        assertThat(limit.allows(500, 0)).isTrue();
        assertThat(limit.allows(100, 401)).isFalse();
        limit.learn(400, 400, 0, TimeUnit.MILLISECONDS.toNanos(4));
        assertThat(limit.allows(5_000, 0)).as("0.01 ms each").isTrue();
        assertThat(limit.allows(5_001, 0)).isFalse();
    }

    @Test
    void allows_othersSinceTheLastDump_count() {
        limit.learn(150, 50, 10_000, 1);
        assertThat(limit.allows(50, 10_350))
                .as("100 others, and 350 made since")
                .isTrue();
        assertThat(limit.allows(50, 10_351)).isFalse();
    }

    /** A small dump is mostly the loading of classes. */
    @Test
    void learn_smallDump_tellsNoCostPerThread() {
        limit.learn(20, 0, 0, TimeUnit.SECONDS.toNanos(1));
        assertThat(limit.allows(480, 0)).isTrue();
    }

    @Test
    void othersMade_virtualThreadsOfNobody_areCounted() {
        assumeTrue(VirtualThreads.exist(), "virtual threads need Java 21");
        long before = limit.othersMade(List.of());
        for (int i = 0; i < 1_000; i++) {
            VirtualThreads.unnamed().newThread(() -> {}).start();
        }
        assertThat(limit.othersMade(List.of()) - before).isGreaterThanOrEqualTo(900);
    }
}
