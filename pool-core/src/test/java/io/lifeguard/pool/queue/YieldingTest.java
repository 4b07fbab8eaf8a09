package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A thread yields as long as it gets its processor back soon, and parks while others take it. */
class YieldingTest {

    private static final long SHORT = 1_000;
    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(3);

    private long now;
    private long yieldTakes = SHORT;
    private int yields;

    private final Yielding yielding = new Yielding() {
        @Override
        long now() {
            return now;
        }

        @Override
        void giveWay() {
            yields++;
            now += yieldTakes;
        }
    };

    @Test
    void once_onAQuietMachine_yieldsEachTime() {
        for (int i = 1; i <= 100; i++) {
            assertThat(yielding.once()).isTrue();
            assertThat(yields).isEqualTo(i);
        }
    }

    @Test
    void once_afterNeighboursTookTheSlice_doesNotYieldAgainForTenMilliseconds() {
        yieldTakes = SLICE;
        assertThat(yielding.once()).isFalse();
        now += Yielding.SHORTEST_PAUSE_NANOS - 1;
        assertThat(yielding.once()).isFalse();
        assertThat(yields).isEqualTo(1);
        now += 1;
        yielding.once();
        assertThat(yields).isEqualTo(2);
    }

    @Test
    void once_besideNeighboursThatStay_losesLessThanOnePercentToYields() {
        yieldTakes = SLICE;
        long end = TimeUnit.SECONDS.toNanos(60);
        while (now < end) {
            yielding.once();
            now += 20_000;
        }
        assertThat(yields * SLICE).isLessThan(end / 100);
    }

    @Test
    void once_whenNeighboursHaveLeft_yieldsAgainAfterASecondAtMost() {
        yieldTakes = SLICE;
        for (int i = 0; i < 20; i++) {
            yielding.once();
            now += Yielding.LONGEST_PAUSE_NANOS;
        }
        yieldTakes = SHORT;
        now += Yielding.LONGEST_PAUSE_NANOS;
        assertThat(yielding.once()).isTrue();
    }

    @Test
    void once_whenNeighboursComeBackLater_pausesForTenMillisecondsFirst() {
        yieldTakes = SLICE;
        for (int i = 0; i < 20; i++) {
            yielding.once();
            now += Yielding.LONGEST_PAUSE_NANOS;
        }
        now += 3 * Yielding.LONGEST_PAUSE_NANOS;
        yielding.once();
        int before = yields;
        now += Yielding.SHORTEST_PAUSE_NANOS;
        yielding.once();
        assertThat(yields).isEqualTo(before + 1);
    }
}
