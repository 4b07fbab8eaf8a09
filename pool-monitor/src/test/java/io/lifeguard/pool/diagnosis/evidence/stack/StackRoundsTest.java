package io.lifeguard.pool.diagnosis.evidence.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StackRoundsTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    @Test
    void moments_ofAWindow_differAndLieOneInEachPart() {
        List<Duration> moments = StackRounds.moments(WINDOW, 5, new Random(1));

        assertThat(moments).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(moments.get(i))
                    .isBetween(
                            WINDOW.multipliedBy(i).dividedBy(5),
                            WINDOW.multipliedBy(i + 1).dividedBy(5));
        }
        assertThat(moments.stream().map(moment -> moment.toMillis() % 200).distinct())
                .hasSizeGreaterThan(3);
    }

    @Test
    void moments_ofNoTime_allAtOnce() {
        assertThat(StackRounds.moments(Duration.ZERO, 2, new Random(1))).containsOnly(Duration.ZERO);
    }
}
