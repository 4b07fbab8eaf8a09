package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Totals that are too great for a {@code long} of nanoseconds stay at the greatest value. */
class SaturatingTest {

    private static final long YEAR = TimeUnit.DAYS.toNanos(365);

    @Test
    void record_tenMillionTasksOfHalfAnHour_totalStaysAtTheGreatestValue() {
        Histogram histogram = new Histogram();
        histogram.record(TimeUnit.MINUTES.toNanos(30), 10_000_000);
        assertThat(HistogramSnapshot.of(histogram).totalNanos()).isEqualTo(Long.MAX_VALUE);
        histogram.record(1);
        assertThat(HistogramSnapshot.of(histogram).totalNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(HistogramSnapshot.of(histogram).count()).isEqualTo(10_000_001);
    }

    /** Each of two workers runs tasks of 200 years altogether; each alone fits into a long. */
    @Test
    void read_sumOverWorkersAndKindsIsTooGreat_staysAtTheGreatestValue() {
        AtomicLong clock = new AtomicLong();
        PoolRecorder pool = new PoolRecorder(CpuClock.none(), clock::get, new SplittableRandom(1));
        for (int i = 0; i < 2; i++) {
            WorkerRecorder worker = pool.newWorker();
            worker.begin(200 * YEAR, 0, SaturatingTest.class);
            worker.end(200 * YEAR + 200 * YEAR, false);
        }
        PoolReading reading = pool.read();
        assertThat(reading.service().totalNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(reading.queueWait().totalNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(reading.kinds()).singleElement().satisfies(kind -> {
            assertThat(kind.wallNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(kind.waitNanos()).isEqualTo(Long.MAX_VALUE);
        });
    }

    @Test
    void add_inRange_exact() {
        assertThat(Saturating.add(5, -7)).isEqualTo(-2);
        assertThat(Saturating.add(Long.MAX_VALUE, -1)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(Saturating.add(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(Saturating.multiply(3, 0)).isZero();
        assertThat(Saturating.multiply(Long.MAX_VALUE / 2, 2)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(Saturating.multiply(Long.MAX_VALUE / 2, 3)).isEqualTo(Long.MAX_VALUE);
    }
}
