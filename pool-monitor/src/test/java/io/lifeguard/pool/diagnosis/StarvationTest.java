package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StarvationTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Starvation starvation = new Starvation();

    @Test
    void isPoolsTurn_enoughCpuTime_isFalse() {
        starvation.begin(0, Duration.ofMillis(100), WINDOW);

        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    @Test
    void isPoolsTurn_starved_isTrueUntilAPoolWasJudged() {
        starvation.begin(0, WINDOW, WINDOW);
        assertThat(starvation.isPoolsTurn()).isTrue();

        starvation.begin(0, WINDOW, WINDOW);
        starvation.judged();
        assertThat(starvation.isPoolsTurn()).isTrue();

        starvation.begin(0, WINDOW, WINDOW);
        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    /** An event loop that fills the CPUs is found although the pools beside it have nothing to do. */
    @Test
    void isPoolsTurn_noPoolIsEverJudged_endsAfterThreeRounds() {
        for (int round = 0; round < 3; round++) {
            starvation.begin(0, WINDOW, WINDOW);
            assertThat(starvation.isPoolsTurn()).isTrue();
        }
        starvation.begin(0, WINDOW, WINDOW);
        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    @Test
    void begin_threadWasShortOfCpu_firstWindowIsThatOfAStarvedThread() {
        starvation.begin(true);
        assertThat(starvation.isStarved()).isTrue();

        starvation.begin(0, Duration.ZERO, WINDOW);
        assertThat(starvation.isStarved()).isFalse();
    }
}
