package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import org.junit.jupiter.api.Test;

/** How far back earlier snapshots reach when the pool is read often or rarely. */
class RecentSnapshotsTest {

    private RecentSnapshots recent = new RecentSnapshots(false);

    @Test
    void before_firstReading_isNull() {
        assertThat(recent.before(at(0), RecentSnapshots.LONG)).isNull();
    }

    @Test
    void before_scrapedEverySecond_isAsOldAsRequestedAndFewAreKept() {
        read(1, 300);
        assertThat(ageShort(300)).isBetween(10.0, 16.0);
        assertThat(ageLong(300)).isBetween(60.0, 66.0);
        assertThat(recent.size()).isLessThanOrEqualTo(14);
    }

    @Test
    void before_scrapedEveryFifteenSeconds_isTheLastReadingAndTheLastMinute() {
        read(15, 300);
        assertThat(ageShort(315)).isEqualTo(15);
        assertThat(ageLong(315)).isEqualTo(60);
    }

    @Test
    void before_readEveryFiveMinutes_isTheLastReading() {
        read(300, 3000);
        assertThat(ageShort(3300)).isEqualTo(300);
        assertThat(ageLong(3300)).isEqualTo(300);
    }

    @Test
    void recordedBefore_newPool_isNullForTheFirstMinute() {
        recent = new RecentSnapshots(true);
        read(15, 45);
        assertThat(recent.recordedBefore(at(59), RecentSnapshots.LONG)).isNull();
        assertThat(age(recent.recordedBefore(at(60), RecentSnapshots.LONG), 60)).isEqualTo(60);
        assertThat(ageShort(60)).isEqualTo(15);
    }

    @Test
    void recordedBefore_poolOlderThanTheBinding_isTheBinding() {
        read(15, 45);
        assertThat(age(recent.recordedBefore(at(59), RecentSnapshots.LONG), 59)).isEqualTo(59);
    }

    private void read(int every, int until) {
        for (int second = 0; second <= until; second += every) {
            recent.add(at(second));
        }
    }

    private double ageShort(int now) {
        return age(recent.before(at(now), RecentSnapshots.SHORT), now);
    }

    private double ageLong(int now) {
        return age(recent.before(at(now), RecentSnapshots.LONG), now);
    }

    private static double age(PoolSnapshot then, int now) {
        return now - then.nanoTime() / 1e9;
    }

    private static PoolSnapshot at(int second) {
        return new Snapshots(second).snapshot();
    }
}
