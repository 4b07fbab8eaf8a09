package io.lifeguard.pool.diagnosis.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which looks at the workers show that none of them ever waits for a task. */
class NeverIdleTest {

    private static final Breakdowns BUSY = Breakdowns.of(8).with(Doing.WAITING_OUTSIDE, 8);

    @ParameterizedTest
    @EnumSource(
            value = Doing.class,
            names = {"IDLE", "SLEEPING", "UNKNOWN", "WAITING_IN_LINE"})
    void in_moreThanOneInTwentyMayBeIdle_isFalse(Doing doing) {
        Breakdowns some = Breakdowns.of(8).with(Doing.WAITING_OUTSIDE, 7.5).with(doing, 0.5);
        Breakdowns few = Breakdowns.of(8).with(Doing.WAITING_OUTSIDE, 7.75).with(doing, 0.25);

        assertThat(NeverIdle.in(some.build(), workers(8, 8))).isFalse();
        assertThat(NeverIdle.in(few.build(), workers(8, 8))).isTrue();
    }

    /** Permits come back; what an empty queue waits for may never come. */
    @Test
    void in_allWaitForPermits_isTrue() {
        assertThat(NeverIdle.in(Breakdowns.of(8).line(8, 2).build(), workers(8, 8)))
                .isTrue();
    }

    /** Endless loops over silent connections look busy, but do not move. */
    @ParameterizedTest
    @CsvSource({"8, true", "4, true", "3, false", "0, false"})
    void in_someDoNotMove_isTrueForFew(int moving, boolean expected) {
        assertThat(NeverIdle.in(BUSY.build(), workers(8, moving))).isEqualTo(expected);
    }

    @Test
    void in_switchesNotKnown_isFalse() {
        assertThat(NeverIdle.in(BUSY.build(), List.of(worker(1, Optional.empty()))))
                .isFalse();
    }

    /** A recording has no switches, but waits that end. */
    @Test
    void in_movesOtherwiseKnown_isTrue() {
        List<WorkerWindow> moved = List.of(
                new WorkerWindow("orders-1", 1, true, Optional.of("Task"), Duration.ZERO, Optional.empty(), true));

        assertThat(NeverIdle.in(BUSY.build(), moved)).isTrue();
    }

    @Test
    void in_fewerThanFourLooks_isFalse() {
        assertThat(NeverIdle.in(lookedAt(3), workers(8, 8))).isFalse();
        assertThat(NeverIdle.in(lookedAt(4), workers(8, 8))).isTrue();
    }

    @Test
    void in_noWorkers_isFalse() {
        assertThat(NeverIdle.in(Breakdowns.of(0).build(), List.of())).isFalse();
    }

    private static TimeBreakdown lookedAt(int times) {
        return new TimeBreakdown(8, times, 8 * times, BUSY.build().shares(), Map.of());
    }

    private static List<WorkerWindow> workers(int all, int moving) {
        return IntStream.range(0, all)
                .mapToObj(i ->
                        worker(i, Optional.of(new ThreadTimes(Duration.ZERO, Duration.ZERO, i < moving ? 1 : 0, 0))))
                .toList();
    }

    private static WorkerWindow worker(long id, Optional<ThreadTimes> times) {
        return new WorkerWindow("orders-" + id, id, true, Optional.of("Task"), Duration.ZERO, times);
    }
}
