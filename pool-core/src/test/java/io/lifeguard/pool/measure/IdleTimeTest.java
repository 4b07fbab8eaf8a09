package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleTimeTest {

    /** {@link System#nanoTime()} may begin anywhere, and may overflow. */
    @ParameterizedTest
    @ValueSource(
            longs = {0, 1, -1, 123_456_789, -987_654_321, Long.MAX_VALUE - 150, Long.MIN_VALUE, Long.MIN_VALUE / 2 - 50
            })
    void total_twoPeriodsFromAnyOrigin_isTheirSum(long origin) {
        IdleTime idle = new IdleTime();
        assertThat(idle.total(() -> origin)).isZero();

        idle.enter(origin);
        assertThat(idle.isIdle()).isTrue();
        assertThat(idle.total(() -> origin + 100)).isEqualTo(100);
        idle.leave(origin + 100);
        assertThat(idle.isIdle()).isFalse();
        assertThat(idle.total(() -> origin + 500)).isEqualTo(100);
        idle.enter(origin + 500);
        assertThat(idle.total(() -> origin + 530)).isEqualTo(130);
        idle.leave(origin + 540);

        assertThat(idle.total(() -> origin + 10_000)).isEqualTo(140);
    }

    @Test
    void enterAndLeave_repeated_changeNothing() {
        IdleTime idle = new IdleTime();
        idle.leave(5);
        idle.enter(10);
        idle.enter(20);

        assertThat(idle.total(() -> 30)).isEqualTo(20);
        idle.leave(40);
        idle.leave(50);

        assertThat(idle.total(() -> 60)).isEqualTo(30);
    }

    /** The interleaving: the reader is suspended before it reads the clock, and the worker becomes idle meanwhile. */
    @Test
    void total_idleSinceTheClockWasAskedFor_isNotLessThanBefore() {
        IdleTime idle = new IdleTime();
        idle.enter(10);
        idle.leave(40);

        assertThat(idle.total(() -> {
                    idle.enter(1_000);
                    return 50;
                }))
                .isEqualTo(30);
    }
}
