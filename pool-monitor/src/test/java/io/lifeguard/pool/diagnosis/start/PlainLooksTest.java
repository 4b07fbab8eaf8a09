package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.start.PlainLooks.Reason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlainLooksTest {

    private final PlainLooks looks = new PlainLooks();

    /** Ten looks a second, between two of which so many tasks end. */
    private long look(int times, int tasksEach) {
        long now = 0;
        for (int i = 0; i < times; i++) {
            now = seconds(5) + i * seconds(1) / 10;
            looks.saw(Reason.LINE, now, 100 + (long) i * tasksEach, 20);
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
        looks.saw(Reason.LINE, now, 120, 20);
        assertThat(looks.areCertain(now)).isTrue();
        assertThat(looks.arePlain(now)).isTrue();
    }

    @Test
    void areCertain_oneLookWithoutTheReason_beginsAnew() {
        look(40, 1);
        looks.sawNone(seconds(9));
        assertThat(looks.arePlain(seconds(9))).isFalse();

        looks.saw(Reason.LINE, seconds(10), 200, 20);
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

    /** Many tasks have ended before, so the mean would tell nothing. */
    @Test
    void arePlain_noTaskEndsAnyLonger_isFalse() {
        long now = look(30, 50);
        for (int i = 0; i < 3; i++) {
            now += seconds(1);
            looks.saw(Reason.LINE, now, 100 + 29 * 50, 20);
            looks.said(true);
        }
        assertThat(looks.arePlain(now)).isFalse();
    }

    /** A worker is between two tasks at some looks, so what was said is over only after a second without it. */
    @Test
    void arePlain_saidAndNotSeenForAMoment_isTrue_andForASecond_isFalse() {
        long now = look(30, 1);
        looks.said(true);
        looks.sawNone(now + seconds(1) / 2);
        looks.saw(Reason.WAIT, now + seconds(1) / 2, 131, 20);
        assertThat(looks.arePlain(now + seconds(1) / 2)).isTrue();

        looks.saw(Reason.WAIT, now + seconds(1), 132, 20);
        assertThat(looks.arePlain(now + seconds(1))).isFalse();
    }

    /** The monitor can only add what it costs. */
    @Test
    void arePlain_said_holdsForThirtySeconds() {
        look(30, 1);
        looks.said(true);
        long now = look(290, 1);
        assertThat(looks.arePlain(now)).isTrue();
        assertThat(looks.arePlain(now + seconds(2))).isFalse();
    }

    /** Where the workers are is no reason yet, so the monitor is to find it. */
    @Test
    void arePlain_onlySaidWhereTheWorkersAre_holdsForFiveSeconds() {
        look(30, 1);
        looks.said(false);
        long now = look(50, 1);
        assertThat(looks.arePlain(now)).isTrue();
        assertThat(looks.arePlain(now + seconds(1))).isFalse();
    }

    @Test
    void areCertain_queueOfSleepersThatDrains_isFalse() {
        for (int i = 0; i < 40; i++) {
            looks.saw(Reason.WAIT, i * seconds(1) / 10, 2L * i, 200 - 2 * i);
        }
        assertThat(looks.areCertain(4 * seconds(1))).isFalse();
    }

    @Test
    void arePlain_aThousandTasksMoreThanAtFirst_isFalse() {
        looks.saw(Reason.LINE, seconds(1), 1, 20);
        looks.saw(Reason.LINE, seconds(1), 2, 1_020);
        assertThat(looks.arePlain(seconds(1))).isTrue();
        looks.saw(Reason.LINE, seconds(1), 3, 1_021);
        assertThat(looks.arePlain(seconds(1))).isFalse();
    }

    /** Otherwise a pool whose workers now wait and now run would never wake the monitor. */
    @Test
    void arePlain_reasonsThatAlternateForFiveSeconds_isFalse() {
        for (int i = 0; i < 51; i++) {
            looks.saw(i % 2 == 0 ? Reason.WAIT : Reason.RUN, i * seconds(1) / 10, i, 20);
        }
        assertThat(looks.arePlain(seconds(5))).isFalse();
    }

    /** A worker or two may be between two waits at one look. */
    @Test
    void notedStacks_showAnotherReason_isAskedAtThreeLooks() {
        look(3, 1);
        assertThat(looks.notedStacks(false)).isTrue();
        assertThat(looks.notedStacks(false)).isTrue();
        assertThat(looks.notedStacks(false)).isFalse();
        assertThat(looks.isExplained()).isFalse();

        look(1, 1);
        looks.sawNone(seconds(6));
        look(1, 1);
        assertThat(looks.notedStacks(true)).isTrue();
        assertThat(looks.isExplained()).isTrue();
    }

    @Test
    void arePlain_reasonIsFiveSecondsOld_isFalse() {
        long now = look(50, 1);
        assertThat(looks.arePlain(now)).as("after 4.9 s").isTrue();
        assertThat(looks.arePlain(now + seconds(1))).isFalse();
    }
}
