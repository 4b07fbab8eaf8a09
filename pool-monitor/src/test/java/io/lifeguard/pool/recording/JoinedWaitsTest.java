package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waits are held back for a short time only, and of some submitters only. */
class JoinedWaitsTest {

    private static final long MILLI = 1_000_000;

    private final List<Observation> out = new ArrayList<>();
    private final JoinedWaits waits = new JoinedWaits(out::add);

    private void add(String submitter, long startNanos) {
        waits.add(new SubmitWait(startNanos, MILLI, "p", submitter, true));
    }

    @Test
    void add_waitsOfManySubmitters_holdsFewBackAndLosesNone() {
        for (int i = 0; i < 200; i++) {
            add("main " + i, i);
        }
        assertThat(out).hasSize(136);

        waits.flush();
        assertThat(out).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void advance_timeThatGoesOnOrBack_passesOnWhatIsOver() {
        for (int milli = 0; milli < 50; milli++) {
            add("main", milli * MILLI);
        }
        waits.advance(100 * MILLI);
        assertThat(out).isEmpty();

        waits.advance(102 * MILLI);
        assertThat(out).containsExactly(new SubmitWait(0, 50 * MILLI, "p", "main", true));

        add("main", 200 * MILLI);
        waits.advance(0);
        assertThat(out).hasSize(2);
    }

    @Test
    void add_waitsWithoutAnEnd_passesOneOnTenTimesASecond() {
        for (int milli = 0; milli < 1_001; milli++) {
            add("main", milli * MILLI);
        }
        assertThat(out)
                .hasSize(10)
                .allSatisfy(wait -> assertThat(wait.durationNanos()).isEqualTo(100 * MILLI));
    }

    @Test
    void add_runsOfTasks_areJoinedApartFromWaitsWithTheirIdleWorkers() {
        waits.add(new CallerRun(0, 10 * MILLI, "p", "main", 4));
        waits.add(new SubmitWait(10 * MILLI, MILLI, "p", "main", true));
        waits.add(new CallerRun(10 * MILLI, 30 * MILLI, "p", "main", 8));
        waits.add(new CallerRun(50 * MILLI, 5 * MILLI, "p", "main", 8));
        waits.flush();

        assertThat(out)
                .containsExactlyInAnyOrder(
                        new CallerRun(0, 40 * MILLI, "p", "main", 7),
                        new SubmitWait(10 * MILLI, MILLI, "p", "main", true),
                        new CallerRun(50 * MILLI, 5 * MILLI, "p", "main", 8));
    }
}
