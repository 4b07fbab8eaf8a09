package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.HistogramSnapshot;
import io.lifeguard.pool.measure.Overhead;
import io.lifeguard.pool.measure.PoolReading;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolSnapshotTest {

    @Test
    void measured_cpuKnown_hasTheCostOfMeasuringAndIdleness() {
        PoolSnapshot.Overhead overhead = snapshot(true, 7_000).overhead();

        assertThat(overhead)
                .isEqualTo(new PoolSnapshot.Overhead(
                        Duration.ofNanos(800), Duration.ofNanos(80), Duration.ofNanos(7_000)));
    }

    @Test
    void measured_cpuUnknown_claimsNoIdleCpuTime() {
        PoolSnapshot snapshot = snapshot(false, 7_000);

        assertThat(snapshot.overhead().idleCpuTime()).isZero();
        assertThat(snapshot.toTable())
                .contains("measuring cost 80 ns per task, 800 ns in all")
                .doesNotContain("burnt");
    }

    /** Estimates with mean zero may be negative at first. */
    @Test
    void measured_idlenessBelowZero_isZero() {
        assertThat(snapshot(true, -5).overhead().idleCpuTime()).isZero();
    }

    @Test
    void build_nothingSet_isAnEmptyPoolWithUnknownTimes() {
        PoolSnapshot snapshot = PoolSnapshot.builder("empty").build();

        assertThat(snapshot.name()).isEqualTo("empty");
        assertThat(snapshot.submitted()).isZero();
        assertThat(snapshot.serviceTime().isKnown()).isFalse();
        assertThat(snapshot.saturation()).isEqualTo(PoolSnapshot.Saturation.NONE);
    }

    @Test
    void toBuilder_nothingChanged_buildsAnEqualSnapshot() {
        PoolSnapshot snapshot = snapshot(true, 7_000);

        assertThat(snapshot.toBuilder().build()).isEqualTo(snapshot);
    }

    @Test
    void isOther_namedThread_isFalse() {
        assertThat(new PoolSnapshot.Caller("main", 1, Duration.ZERO, 0).isOther())
                .isFalse();
        assertThat(new PoolSnapshot.Caller(PoolSnapshot.OTHER, 1, Duration.ZERO, 0).isOther())
                .isTrue();
    }

    private static PoolSnapshot snapshot(boolean cpuKnown, long idleCpuNanos) {
        PoolReading reading = new PoolReading(
                10,
                10,
                0,
                HistogramSnapshot.EMPTY,
                HistogramSnapshot.EMPTY,
                HistogramSnapshot.EMPTY,
                cpuKnown,
                HistogramSnapshot.EMPTY,
                HistogramSnapshot.EMPTY,
                0,
                idleCpuNanos,
                List.of(),
                new Overhead(1, 20, 10, 800));
        return PoolSnapshot.builder("pool").measured(reading, Accuracy.EXACT, 0).build();
    }
}
