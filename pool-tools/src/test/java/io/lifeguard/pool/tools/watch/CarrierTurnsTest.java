package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long two carriers keep their threads, where the JVM does not tell who waits for a carrier. */
class CarrierTurnsTest {

    private static final long MILLI = 1_000_000;
    private static final long INTERVAL = 100 * MILLI;

    private final CarrierTurns turns = new CarrierTurns();

    static DumpedThread carrier(int index, long carried) {
        return new DumpedThread(
                "ForkJoinPool-1-worker-" + index,
                OptionalLong.of(index),
                Thread.State.RUNNABLE,
                List.of(),
                Doing.UNKNOWN,
                "",
                Optional.empty(),
                Set.of(),
                OptionalLong.of(carried));
    }

    private void look(int index, long one, long other) {
        turns.see(List.of(carrier(1, one), carrier(2, other)), true, index * INTERVAL);
    }

    /** Eight threads, of which each has a carrier for 300 ms: after one that waits six others have their turns. */
    @Test
    void wait_turnsOfThreeLooks_isThatOfTheOtherThreads() {
        for (int i = 0; i < 24; i++) {
            look(i, 2 * (i / 3) % 8, 2 * ((i + 1) / 3) % 8 + 1);
        }
        assertThat(turns.wait(2)).isBetween(500 * MILLI, 1_300 * MILLI);
        assertThat(turns.others()).isEqualTo(6);
    }

    /** A busy server: at each look the carriers have some of 500 threads. */
    @Test
    void wait_shortTurnsOfManyThreads_isUnknown() {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            look(i, random.nextInt(500), random.nextInt(500));
            assertThat(turns.wait(2)).isZero();
        }
    }

    @Test
    void wait_carrierFreeOnce_isUnknown() {
        for (int i = 0; i < 24; i++) {
            look(i, 2 * (i / 3) % 8, 2 * ((i + 1) / 3) % 8 + 1);
        }
        turns.see(List.of(carrier(1, 1)), false, 24 * INTERVAL);
        assertThat(turns.wait(2)).isZero();
    }

    /** Two threads that compute for good, and no others: nobody waits. */
    @Test
    void wait_noOtherThreads_isUnknown() {
        for (int i = 0; i < 100; i++) {
            look(i, 1, 2);
        }
        assertThat(turns.wait(2)).isZero();
        assertThat(turns.longest()).isEqualTo(99 * INTERVAL);
    }

    @Test
    void stands_threadKeptForSecondsWithoutCpu_isTrue() {
        Map<Long, ThreadTimes> idle = Map.of(1L, ThreadTimes.NONE);
        Map<Long, ThreadTimes> busy = Map.of(1L, new ThreadTimes(Duration.ofSeconds(1), Duration.ZERO, 0, 0));
        for (int i = 0; i <= 49; i++) {
            look(i, 1, 2);
        }
        assertThat(turns.stands(carrier(1, 1), idle)).as("for 4.9 s").isFalse();
        look(50, 1, 2);
        assertThat(turns.stands(carrier(1, 1), idle)).isTrue();
        assertThat(turns.stands(carrier(1, 1), busy)).isFalse();
        assertThat(turns.stands(carrier(1, 1), Map.of())).as("no times").isFalse();
    }

    /** Passwords are hashed for 100 ms each: all carriers never keep their threads for as long. */
    @Test
    void waitBehind_turnsOfOneLook_growsWithTheQueue() {
        for (int i = 0; i < 24; i++) {
            look(i, i * 2 / 3 * 2, (i * 2 + 1) / 3 * 2 + 1);
        }
        assertThat(turns.longest()).isLessThan(200 * MILLI);
        assertThat(turns.waitBehind(30, 2)).isBetween(900 * MILLI, 2_500 * MILLI);
        assertThat(turns.waitBehind(0, 2)).isZero();
    }

    /** A queue of thousands would take an hour. Nobody has seen it for longer than two seconds. */
    @Test
    void waitBehind_longQueue_isNoLongerThanTheLooks() {
        for (int i = 0; i < 24; i++) {
            look(i, i * 2 / 3 * 2, (i * 2 + 1) / 3 * 2 + 1);
        }
        assertThat(turns.waitBehind(100_000, 2)).isEqualTo(23 * INTERVAL);
    }

    @Test
    void waitBehind_shortTurns_isZero() {
        for (int i = 0; i < 24; i++) {
            look(i, 2L * i, 2L * i + 1);
        }
        assertThat(turns.waitBehind(30, 2)).isZero();
    }

    /** A turn of half the time between two looks is hardly ever seen, and 30 of them are a long wait. */
    @Test
    void mostBehind_turnsWereNotSeen_isShortOnlyForFew() {
        for (int i = 0; i < 24; i++) {
            look(i, 2L * i, 2L * i + 1);
        }
        turns.wait(2);
        assertThat(turns.mostBehind(30, 2)).isEqualTo(855 * MILLI);
        assertThat(turns.mostBehind(1, 2)).isLessThan(100 * MILLI);
    }

    @Test
    void cpuWait_someCarriersWait_isTheirMean() {
        List<DumpedThread> carriers = List.of(carrier(1, 10), carrier(2, 11), carrier(3, 12));
        Map<Long, ThreadTimes> times = Map.of(
                1L, new ThreadTimes(Duration.ofMillis(100), Duration.ofMillis(900), 0, 0),
                2L, new ThreadTimes(Duration.ofMillis(500), Duration.ofMillis(500), 0, 0));
        assertThat(CarrierTurns.cpuWait(carriers, times, Duration.ofSeconds(1))).hasValue(0.7);
        assertThat(CarrierTurns.cpuWait(carriers, Map.of(), Duration.ofSeconds(1)))
                .isEmpty();
    }
}
