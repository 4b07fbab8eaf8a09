package io.lifeguard.pool.diagnosis.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadReadingTest {

    private static final long MS = 1_000_000;

    private static ThreadReading ready(long cpu, long delay, long atMillis) {
        return new ThreadReading(cpu * MS, delay * MS, 3, 9, true, atMillis * MS);
    }

    private static ThreadReading waiting(long cpu, long delay, long voluntarySwitches, long atMillis) {
        return new ThreadReading(cpu * MS, delay * MS, voluntarySwitches, 9, false, atMillis * MS);
    }

    /** A thread among so many others that it gets no CPU for a second: the system counts nothing of it. */
    @Test
    void runQueueNanosSince_threadThatNeverGotACpu_isAllThatTime() {
        assertThat(ready(5, 7, 1_000).runQueueNanosSince(ready(5, 7, 0))).isEqualTo(1_000 * MS);
    }

    @Test
    void runQueueNanosSince_waitThatGoesOn_countsBesideThoseThatEnded() {
        assertThat(ready(30, 200, 1_000).runQueueNanosSince(ready(0, 0, 0))).isEqualTo(970 * MS);
    }

    /** A wait from 0 to 300 ms, which the system adds when it ends. */
    @Test
    void runQueueNanosSince_longWaitOverManyReadings_countsOnce() {
        ThreadReading[] readings = {ready(0, 0, 0), ready(0, 0, 100), ready(0, 0, 200), ready(50, 300, 350)};
        long sum = 0;
        for (int i = 1; i < readings.length; i++) {
            sum += readings[i].runQueueNanosSince(readings[i - 1]);
        }

        assertThat(sum).isEqualTo(300 * MS);
    }

    /** Its CPU time is as old as the latest tick. */
    @Test
    void runQueueNanosSince_threadThatRuns_isWhatTheSystemCounts() {
        assertThat(ready(985, 2, 1_000).runQueueNanosSince(ready(0, 0, 0))).isEqualTo(2 * MS);
    }

    @Test
    void runQueueNanosSince_threadThatWaitedForSomethingElse_isWhatTheSystemCounts() {
        assertThat(waiting(0, 2, 4, 1_000).runQueueNanosSince(ready(0, 0, 0))).isEqualTo(2 * MS);
        assertThat(waiting(0, 2, 3, 1_000).runQueueNanosSince(ready(0, 0, 0))).isEqualTo(2 * MS);
        assertThat(ready(0, 2, 1_000).runQueueNanosSince(waiting(0, 2, 3, 0))).isZero();
    }

    @Test
    void runQueueNanosSince_waitThatBeganBefore_isAtMostTheTimeBetween() {
        assertThat(waiting(10, 500, 4, 100).runQueueNanosSince(waiting(0, 0, 3, 0)))
                .isEqualTo(90 * MS);
    }
}
