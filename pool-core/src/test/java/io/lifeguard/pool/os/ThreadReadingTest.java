package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ThreadReadingTest {

    private static final long MS = 1_000_000;

    /** A thread among so many others that it gets no CPU for a second: the system counts nothing of it. */
    @Test
    void runQueueNanosSince_threadThatNeverGotACpu_isAllThatTime() {
        ThreadReading before = new ThreadReading(5 * MS, 7 * MS, 3, 9, OptionalLong.of(0));
        ThreadReading after = new ThreadReading(5 * MS, 7 * MS, 3, 9, OptionalLong.of(1_000 * MS));

        assertThat(after.runQueueNanosSince(before)).isEqualTo(1_000 * MS);
    }

    @Test
    void runQueueNanosSince_waitThatGoesOn_countsBesideThoseThatEnded() {
        ThreadReading before = new ThreadReading(0, 0, 3, 9, OptionalLong.of(0));
        ThreadReading after = new ThreadReading(30 * MS, 200 * MS, 3, 12, OptionalLong.of(1_000 * MS));

        assertThat(after.runQueueNanosSince(before)).isEqualTo(970 * MS);
    }

    /** Its CPU time is as old as the latest tick. */
    @Test
    void runQueueNanosSince_threadThatRuns_isWhatTheSystemCounts() {
        ThreadReading before = new ThreadReading(0, 0, 3, 9, OptionalLong.of(0));
        ThreadReading after = new ThreadReading(985 * MS, 2 * MS, 3, 10, OptionalLong.of(1_000 * MS));

        assertThat(after.runQueueNanosSince(before)).isEqualTo(2 * MS);
    }

    @Test
    void runQueueNanosSince_threadThatWaitedForSomethingElse_isWhatTheSystemCounts() {
        ThreadReading ready = new ThreadReading(0, 0, 3, 9, OptionalLong.of(0));
        ThreadReading slept = new ThreadReading(0, 2 * MS, 4, 9, OptionalLong.of(1_000 * MS));
        ThreadReading sleeps = new ThreadReading(0, 2 * MS, 3, 9);

        assertThat(slept.runQueueNanosSince(ready)).isEqualTo(2 * MS);
        assertThat(sleeps.runQueueNanosSince(ready)).isEqualTo(2 * MS);
        assertThat(slept.runQueueNanosSince(sleeps)).isZero();
    }
}
