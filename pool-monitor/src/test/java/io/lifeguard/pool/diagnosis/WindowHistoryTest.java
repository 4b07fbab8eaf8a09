package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WindowHistoryTest {

    private static final Duration USUAL = Duration.ofSeconds(1);

    private final FakeClock clock = new FakeClock();
    private final FakePool pool = new FakePool("pool", clock);
    private final WindowHistory history = new WindowHistory();

    private PoolWindow window() {
        return window(USUAL);
    }

    private PoolWindow window(Duration length) {
        var before = pool.snapshot();
        clock.pass(length);
        return PoolWindow.between(before, pool.snapshot()).end(clock.now()).build();
    }

    private void add(int windows) {
        for (int i = 0; i < windows; i++) {
            history.add(window(), USUAL);
        }
    }

    @Test
    void add_manyWindows_keepsAMinuteFineAndAnHourCoarse() {
        add(10_000);

        assertThat(history.fine()).hasSize(60);
        assertThat(history.fine().get(0).end()).isEqualTo(clock.now());
        assertThat(history.coarse()).hasSize(60).allSatisfy(coarse -> {
            assertThat(coarse.length()).isEqualTo(Duration.ofMinutes(1));
            assertThat(coarse.earlier()).isEmpty();
            assertThat(coarse.minutes()).isEmpty();
        });
        assertThat(history.coarse().get(0).before().nanoTime())
                .as("one begins where the other ends")
                .isEqualTo(history.coarse().get(1).after().nanoTime());
    }

    /** As in a pool's youth: ten seconds of short windows, then usual ones. */
    @Test
    void add_windowsOfMixedLengths_minutesAreMinutes() {
        for (int i = 0; i < 40; i++) {
            history.add(window(Duration.ofMillis(250)), USUAL);
        }
        assertThat(history.coarse()).isEmpty();

        add(49);
        assertThat(history.coarse()).isEmpty();
        assertThat(history.judged()).hasSize(89);

        add(1);
        assertThat(history.coarse()).extracting(PoolWindow::seconds).containsExactly(60.0);

        add(60);
        assertThat(history.coarse()).extracting(PoolWindow::seconds).containsExactly(60.0, 60.0);
        assertThat(history.fine()).hasSize(60);
    }

    /** A monitor that is always a little early, or late. */
    @Test
    void add_windowsALittleShort_minutesHaveSixtyOfThem() {
        for (int i = 0; i < 120; i++) {
            history.add(window(Duration.ofMillis(998)), USUAL);
        }
        assertThat(history.coarse()).hasSize(2);
        assertThat(history.fine()).hasSizeBetween(60, 61);
    }

    @Test
    void addDisturbed_longAfterTheLastMinute_keepsWhatWasBefore() {
        add(75);
        history.addDisturbed(window(), USUAL);

        assertThat(history.judged()).isEmpty();
        assertThat(history.fine()).hasSize(60);
        assertThat(history.coarse()).extracting(PoolWindow::seconds).containsExactly(15.0, 60.0);

        add(60);
        assertThat(history.judged()).hasSize(60);
        assertThat(history.coarse()).extracting(PoolWindow::seconds).containsExactly(60.0, 15.0, 60.0);
    }

    @Test
    void addDisturbed_shortAfterTheLastMinute_forgetsTheRest() {
        add(65);
        history.addDisturbed(window(), USUAL);

        assertThat(history.coarse()).hasSize(1);
    }
}
