package io.lifeguard.pool.diagnosis.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StarvationTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Starvation starvation = new Starvation();

    private void begin(Duration late) {
        starvation.begin(0, late, WINDOW, Duration.ZERO, WINDOW);
    }

    @Test
    void isPoolsTurn_enoughCpuTime_isFalse() {
        begin(Duration.ofMillis(100));

        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    @Test
    void isPoolsTurn_starved_isTrueUntilAPoolWasJudged() {
        begin(WINDOW);
        assertThat(starvation.isPoolsTurn()).isTrue();

        begin(WINDOW);
        starvation.judged();
        assertThat(starvation.isPoolsTurn()).isTrue();

        begin(WINDOW);
        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    /** An event loop that fills the CPUs is found although the pools beside it have nothing to do. */
    @Test
    void isPoolsTurn_noPoolIsEverJudged_endsAfterThreeRounds() {
        for (int round = 0; round < 3; round++) {
            begin(WINDOW);
            assertThat(starvation.isPoolsTurn()).isTrue();
        }
        begin(WINDOW);
        assertThat(starvation.isPoolsTurn()).isFalse();
    }

    @Test
    void begin_threadWasShortOfCpu_firstWindowIsThatOfAStarvedThread() {
        starvation.begin(true);
        assertThat(starvation.isStarved()).isTrue();

        begin(Duration.ZERO);
        assertThat(starvation.isStarved()).isFalse();
    }

    /** Each look waits for a CPU for less than what counts as lateness, and all together for most of the window. */
    @Test
    void begin_threadQueuedForHalfOfAUsualWindow_isStarved() {
        Duration quarter = WINDOW.dividedBy(4);
        starvation.begin(0, Duration.ZERO, quarter, Duration.ofMillis(510), WINDOW);
        assertThat(starvation.isStarved()).isTrue();

        starvation.begin(0, Duration.ZERO, quarter, Duration.ofMillis(200), WINDOW);
        assertThat(starvation.isStarved())
                .as("beside a few computing processes")
                .isFalse();
    }
}
