package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How late virtual threads start, by the numbers of those that two carriers have. */
class ThreadStartsTest {

    private static final long MILLI = 1_000_000;
    private static final long INTERVAL = 100 * MILLI;

    private final ThreadStarts starts = new ThreadStarts();

    private void look(int index, long one, long other) {
        starts.see(List.of(CarrierTurnsTest.carrier(1, one), CarrierTurnsTest.carrier(2, other)), index * INTERVAL);
    }

    /** Ten threads start in a second, so the last one of 30 starts after three. Nobody sees a thread twice. */
    @Test
    void delay_threadsInOrder_isTheQueueByItsRate() {
        for (int i = 0; i < 100; i++) {
            look(i, i, i + 1);
        }
        assertThat(starts.delay(30)).isBetween(2_500 * MILLI, 3_500 * MILLI);
        assertThat(starts.delay(0)).isZero();
    }

    /** The same threads take turns, so none of them tells for how long a new one waits. */
    @Test
    void delay_noThreadStarts_isUnknown() {
        for (int i = 0; i < 100; i++) {
            look(i, 100 + i % 7, 100 + (i + 3) % 7);
        }
        assertThat(starts.delay(30)).isZero();
    }

    /** A platform thread got the one number, and 97 threads wait: no look says that they wait for minutes. */
    @Test
    void delay_oneStartInFourSeconds_isNoLongerThanTheLooks() {
        for (int i = 0; i < 40; i++) {
            look(i, 100, i < 20 ? 101 : 102);
        }
        assertThat(starts.delay(97)).isEqualTo(39 * INTERVAL);
    }
}
