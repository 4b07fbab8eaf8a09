package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WindowHistoryTest {

    private final FakeClock clock = new FakeClock();
    private final FakePool pool = new FakePool("pool", clock);
    private final WindowHistory history = new WindowHistory();

    private PoolWindow window() {
        var before = pool.snapshot();
        clock.pass(Duration.ofSeconds(1));
        return PoolWindow.between(before, pool.snapshot()).end(clock.now()).build();
    }

    private void add(int windows) {
        for (int i = 0; i < windows; i++) {
            history.add(window());
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

    @Test
    void addDisturbed_longAfterTheLastMinute_keepsWhatWasBefore() {
        add(75);
        history.addDisturbed(window());

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
        history.addDisturbed(window());

        assertThat(history.coarse()).hasSize(1);
    }
}
