package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.cpu.Disturbances;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A monitor that is late because no thread could run is told from one that is late because others ran. */
class StandstillTest {

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Disturbances disturbances = new Disturbances();
    private long nanos;

    @Test
    void isDisturbed_lateAndNothingRan_isTrue() {
        round(1, 0, 0.5);

        assertThat(round(2.5, 1.5, 0.3)).isTrue();
        assertThat(disturbances.stoodStill(0, nanos)).isEqualTo(Duration.ofMillis(1_500));
    }

    /**
     * Two CPUs were in use for all of 2.5 s, and in the second that is left without the lateness they could give 2 s
     * only.
     */
    @Test
    void isDisturbed_lateBecauseOwnThreadsHadTheCpu_isFalse() {
        round(1, 0, 0.5);

        assertThat(round(2.5, 1.5, 1.9)).isFalse();
        assertThat(disturbances.stoodStill(0, nanos)).isZero();
    }

    /** As beside other processes that compute. */
    @Test
    void isDisturbed_lateBecauseTheThreadQueuedForACpu_isFalse() {
        assertThat(roundInWhichTheThreadQueued(1.4)).isFalse();
        assertThat(roundInWhichTheThreadQueued(1.1))
                .as("0.4 s of a second are left")
                .isFalse();
    }

    /** A thread that is stopped, or waits for a pause to end, does not queue for a CPU. */
    @Test
    void isDisturbed_threadQueuedForAPartOfTheLatenessOnly_isTrue() {
        assertThat(roundInWhichTheThreadQueued(0.5)).isTrue();
        assertThat(roundInWhichTheThreadQueued(0)).isTrue();
    }

    /** The first window has no earlier one to compare with, but it has a beginning. */
    @Test
    void isDisturbed_firstWindowIsLateBecauseOwnThreadsHadTheCpu_isFalse() {
        disturbances.begin(0, Instant.EPOCH);
        assertThat(round(2.5, 1.5, 1.9)).isFalse();
    }

    /** Full CPU until a debugger stopped everything. */
    @Test
    void isDisturbed_busyAndThenStopped_isTrue() {
        round(1, 0, 2);

        assertThat(round(2.5, 1.5, 0.8)).isTrue();
    }

    @Test
    void excused_lateBecauseOwnThreadsHadTheCpu_isNotLate() {
        round(1, 0, 0.5);
        long end = nanos + 2_500_000_000L;

        assertThat(disturbances.excused(end, late(1.5, 1.9)).late()).isZero();
        assertThat(disturbances.excused(end, late(1.5, 0.3)).late()).isEqualTo(Duration.ofMillis(1_500));
    }

    private boolean round(double seconds, double late, double cpu) {
        nanos += (long) (seconds * 1e9);
        return round(disturbances, late(late, cpu));
    }

    private boolean round(Disturbances judge, ProcessWindow process) {
        return judge.isDisturbed(nanos, Instant.EPOCH.plusNanos(nanos), judge.excused(nanos, process), WINDOW);
    }

    /** A round of 2.5 s, in which the monitor was late by 1.5 s and its thread queued for a CPU for so long. */
    private boolean roundInWhichTheThreadQueued(double seconds) {
        AtomicLong queued = new AtomicLong(7);
        Disturbances judge = new Disturbances(queued::get);
        judge.begin(nanos, Instant.EPOCH.plusNanos(nanos));
        queued.addAndGet((long) (seconds * 1e9));
        nanos += 2_500_000_000L;
        return round(judge, late(1.5, 0.1));
    }

    private static ProcessWindow late(double late, double cpu) {
        return new ProcessWindow(
                2,
                OptionalDouble.of(cpu),
                OptionalDouble.of(0),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofNanos((long) (late * 1e9)));
    }
}
