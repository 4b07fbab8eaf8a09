package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Utilisation and saturation of windows of ten seconds in a pool of four, whose tasks take half a second. */
class LoadTest {

    private static final Snapshots BEGIN = new Snapshots(0);
    private static final Snapshots END = new Snapshots(10);

    @Test
    void saturation_nothingToDo_isZero() {
        assertThat(saturation(BEGIN, END.idle(40))).isZero();
        assertThat(Load.utilisation(reading(BEGIN, END.idle(40)))).isZero();
    }

    /** Proportional to the load, which an autoscaler relies on. */
    @Test
    void saturation_nobodyWaits_isTheUtilisation() {
        assertThat(saturation(BEGIN, END.idle(30))).isCloseTo(0.25, within(1e-9));
        assertThat(saturation(BEGIN, END.idle(20))).isCloseTo(0.5, within(1e-9));
        assertThat(saturation(BEGIN, END.idle(10))).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void saturation_tasksHaveWaited_countsThemByLittlesLaw() {
        Snapshots waited = END.idle(20).waited(10, 10); // ten seconds of waiting in ten seconds: one task on average
        assertThat(saturation(BEGIN, waited)).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void saturation_submittersWereBlocked_countsThemToo() {
        assertThat(saturation(BEGIN, END.idle(20).blocked(1, 10))).isCloseTo(0.75, within(1e-9));
    }

    /** Two tasks per second of half a second each need one more worker. */
    @Test
    void saturation_tasksWereRejectedOrRunByCallers_countsWhatTheyWouldHaveTaken() {
        Snapshots ran = END.idle(20).served(40, 20);
        assertThat(saturation(BEGIN, ran.turnedAway(20, 0))).isCloseTo(0.75, within(1e-9));
        assertThat(saturation(BEGIN, ran.turnedAway(0, 20))).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void saturation_overload_isOne() {
        assertThat(saturation(BEGIN.queued(100), END.queued(100))).isEqualTo(1);
        assertThat(saturation(BEGIN, END.idle(0).waited(100, 1000))).isEqualTo(1);
    }

    /** No task begins, so no wait is recorded, and only the queue shows the backlog. */
    @Test
    void saturation_allWorkersStuck_isOneByTheQueueAlone() {
        assertThat(saturation(BEGIN.queued(50).idle(20), END.queued(50).idle(50)))
                .isEqualTo(1);
    }

    @Test
    void saturation_scheduledPool_ignoresTasksThatAreNotDue() {
        Reading reading = reading(BEGIN.queued(50), END.queued(50).idle(40));
        assertThat(Load.saturation(reading, false)).isZero();
        assertThat(Load.saturation(reading, true)).isEqualTo(1);
    }

    @Test
    void saturation_unboundedQueue_isRelativeToTheCoreSize() {
        Snapshots unbounded = END.idle(20).limits(4, 100, Integer.MAX_VALUE);
        assertThat(saturation(BEGIN.limits(4, 100, Integer.MAX_VALUE), unbounded))
                .isCloseTo(0.5, within(1e-9));
        Snapshots bounded = END.idle(20).limits(4, 8, 1000);
        assertThat(saturation(BEGIN.limits(4, 8, 1000), bounded)).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void saturation_onlyOneReading_isThatOfTheMoment() {
        Reading busy = reading(null, END.active(3));
        assertThat(Load.saturation(busy, true)).isCloseTo(0.75, within(1e-9));
        assertThat(Load.utilisation(busy)).isCloseTo(0.75, within(1e-9));
    }

    private static double saturation(Snapshots before, Snapshots after) {
        return Load.saturation(reading(before, after), true);
    }

    private static Reading reading(@Nullable Snapshots before, Snapshots after) {
        PoolSnapshot earlier = before == null ? null : before.snapshot();
        return new Reading(after.snapshot(), earlier, null, ThreadTimes.NONE, List.of(), 0, 0, 0);
    }
}
