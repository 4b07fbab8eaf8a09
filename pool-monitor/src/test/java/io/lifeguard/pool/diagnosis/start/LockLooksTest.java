package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LockLooksTest {

    private final LockLooks looks = new LockLooks();

    /** Ten looks a second, at a lock under which so many tasks end between two of them. */
    private long look(int times, int tasksEach) {
        long now = 0;
        for (int i = 0; i < times; i++) {
            now = seconds(5) + i * seconds(1) / 10;
            looks.saw(now, 100 + (long) i * tasksEach);
        }
        return now;
    }

    private static long seconds(int seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void areCertain_tenLooksOverTwoSeconds_onlyThen() {
        long now = look(20, 1);
        assertThat(looks.areCertain(now)).as("after 1.9 s").isFalse();

        now = look(1, 1) + seconds(2);
        looks.saw(now, 120);
        assertThat(looks.areCertain(now)).isTrue();
        assertThat(looks.arePlain(now)).isTrue();
    }

    @Test
    void areCertain_oneLookWithoutTheLock_beginsAnew() {
        look(40, 1);
        looks.sawNone();
        assertThat(looks.arePlain(seconds(9))).isFalse();

        looks.saw(seconds(10), 200);
        assertThat(looks.arePlain(seconds(10))).isTrue();
        assertThat(looks.areCertain(seconds(10))).isFalse();
    }

    @Test
    void arePlain_noTaskEndsForTwoSeconds_isFalse() {
        long now = look(20, 0);
        assertThat(looks.arePlain(now)).isTrue();
        assertThat(looks.arePlain(now + seconds(1))).isFalse();
        assertThat(looks.areCertain(now + seconds(1))).isFalse();
    }

    @Test
    void arePlain_lockIsFiveSecondsOld_isFalse() {
        long now = look(50, 1);
        assertThat(looks.arePlain(now)).as("after 4.9 s").isTrue();
        assertThat(looks.arePlain(now + seconds(1))).isFalse();
    }
}
