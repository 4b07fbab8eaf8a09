package io.lifeguard.pool.tools.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Kind;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Sample;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Stay;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a recording tells of one thread between its long waits, and what it does not. */
class ThreadHistoryTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long PERIOD = 20_000_000L;

    private final ThreadHistory thread = new ThreadHistory(7, "orders-7");

    @Test
    void at_insideAWait_isThatWait() {
        thread.add(stay(2, 4, Doing.WAITING_FOR_LOCK));

        assertThat(replay(10, false)).containsEntry(Doing.WAITING_FOR_LOCK, 20).containsEntry(Doing.UNKNOWN, 80);
    }

    @Test
    void at_gapWithoutAnySample_isUnknown() {
        assertThat(replay(10, true)).containsOnlyKeys(Doing.UNKNOWN);
    }

    @Test
    void at_gapsWithCpuTime_computesForAsLong() {
        thread.add(stay(0, 5, Doing.WAITING_OUTSIDE));
        thread.addLoad(0, 10 * SECOND, 0.2); // 2 s of CPU time, all of it in the other 5 s

        assertThat(replay(10, false))
                .containsEntry(Doing.WAITING_OUTSIDE, 50)
                .containsEntry(Doing.COMPUTING, 20)
                .containsEntry(Doing.UNKNOWN, 30);
    }

    @Test
    void at_runningOnFullCpus_waitsForOneTheRestOfTheTime() {
        thread.addLoad(0, 10 * SECOND, 0.25);
        sampleEach(SECOND / 10, Kind.RUNNING, Doing.COMPUTING);

        assertThat(replay(10, true)).containsEntry(Doing.COMPUTING, 25).containsEntry(Doing.WAITING_FOR_CPU, 75);
    }

    /** A worker that is idle between short tasks is seen running now and then, too. */
    @Test
    void at_runningOnIdleCpus_isUnknownTheRestOfTheTime() {
        thread.addLoad(0, 10 * SECOND, 0.25);
        sampleEach(SECOND / 10, Kind.RUNNING, Doing.COMPUTING);

        assertThat(replay(10, false)).containsEntry(Doing.COMPUTING, 25).containsEntry(Doing.UNKNOWN, 75);
    }

    @Test
    void at_seldomSeenRunningOnFullCpus_isUnknownTheRestOfTheTime() {
        thread.addLoad(0, 10 * SECOND, 0.001);
        thread.add(new Sample(5 * SECOND, Kind.RUNNING, look(Doing.COMPUTING)));

        assertThat(replay(10, true)).doesNotContainKey(Doing.WAITING_FOR_CPU);
    }

    @Test
    void at_nativeMethodWithoutCpuTime_isThatWait() {
        thread.addLoad(0, 10 * SECOND, 0);
        sampleEach(SECOND, Kind.IN_NATIVE, Doing.WAITING_OUTSIDE);

        assertThat(replay(10, false)).containsOnlyKeys(Doing.WAITING_OUTSIDE);
    }

    /** It may be in short parks as well, which are not recorded. */
    @Test
    void at_nativeMethodWithCpuTime_isUnknown() {
        thread.addLoad(0, 10 * SECOND, 0.01);
        sampleEach(SECOND, Kind.IN_NATIVE, Doing.WAITING_OUTSIDE);

        assertThat(replay(10, false)).doesNotContainKey(Doing.WAITING_OUTSIDE);
    }

    @Test
    void at_withoutCpuTimes_aSampleStandsForItselfOnly() {
        sampleEach(SECOND / 2, Kind.RUNNING, Doing.COMPUTING);

        assertThat(replay(10, true)).containsEntry(Doing.UNKNOWN, 80).containsEntry(Doing.COMPUTING, 20);
    }

    @Test
    void at_waitInDump_lastsUntilTheNextWaitThatIsRecorded() {
        thread.add(new Sample(1, Kind.DUMP, look(Doing.IDLE)));
        thread.add(stay(6, 8, Doing.SLEEPING));

        assertThat(replay(10, false))
                .containsEntry(Doing.IDLE, 60)
                .containsEntry(Doing.SLEEPING, 20)
                .containsEntry(Doing.UNKNOWN, 20);
    }

    @Test
    void at_waitInDumpOfThreadThatUsesCpuTime_isUnknown() {
        thread.add(new Sample(1, Kind.DUMP, look(Doing.IDLE)));
        thread.addLoad(0, 10 * SECOND, 0.01);

        assertThat(replay(10, false)).doesNotContainKey(Doing.IDLE);
    }

    @Test
    void at_lookAtWaitingThread_holdsForFiveSeconds() {
        thread.add(new Sample(0, Kind.LOOK, look(Doing.IDLE)));

        assertThat(replay(10, false)).containsEntry(Doing.IDLE, 50).containsEntry(Doing.UNKNOWN, 50);
    }

    @Test
    void at_lookThatLasts_holdsUntilTheNext() {
        thread.add(new Sample(0, Kind.LOOK, look(Doing.IDLE), true));
        thread.add(new Sample(9 * SECOND, Kind.LOOK, look(Doing.COMPUTING)));

        assertThat(replay(10, false)).containsEntry(Doing.IDLE, 90).containsEntry(Doing.COMPUTING, 10);
    }

    @Test
    void isAlive_betweenBeginAndEnd() {
        thread.beginsAt(2);
        thread.endsAt(4);

        assertThat(List.of(thread.isAlive(1), thread.isAlive(2), thread.isAlive(3), thread.isAlive(4)))
                .containsExactly(false, true, true, false);
    }

    @Test
    void hasMoved_waitThatEnds_shows() {
        thread.add(stay(1, 3, Doing.WAITING_OUTSIDE));
        thread.order(10 * SECOND);
        thread.at(2 * SECOND, false, PERIOD);

        assertThat(thread.hasMoved(SECOND + 1, 2 * SECOND)).isFalse();
        thread.at(3 * SECOND, false, PERIOD);
        assertThat(thread.hasMoved(2 * SECOND, 3 * SECOND)).isTrue();
    }

    /** Looks ten times a second, and counts what was seen. */
    private Map<Doing, Integer> replay(int seconds, boolean areCpusFull) {
        thread.order(seconds * SECOND);
        Map<Doing, Integer> looks = new EnumMap<>(Doing.class);
        for (long time = SECOND / 20; time < seconds * SECOND; time += SECOND / 10) {
            looks.merge(thread.at(time, areCpusFull, PERIOD * 5).look().doing(), 1, Integer::sum);
        }
        return looks;
    }

    private void sampleEach(long interval, Kind kind, Doing doing) {
        for (long time = SECOND / 20; time < 10 * SECOND; time += interval) {
            thread.add(new Sample(time, kind, look(doing)));
        }
    }

    private static Stay stay(int from, int to, Doing doing) {
        return new Stay(from * SECOND, to * SECOND, look(doing), 0);
    }

    private static DumpedThread look(Doing doing) {
        return new DumpedThread(
                "orders-7",
                OptionalLong.of(7),
                Thread.State.RUNNABLE,
                List.of(),
                doing,
                "",
                Optional.empty(),
                Set.of(),
                OptionalLong.empty());
    }
}
