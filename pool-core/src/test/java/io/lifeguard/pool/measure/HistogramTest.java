package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HistogramTest {

    private static final long LONGEST = 1L << 42;

    @Test
    void bucketOf_everyBorder_beginsANewBucket() {
        for (int bucket = 1; bucket < Histogram.BUCKETS; bucket++) {
            long border = Histogram.lowestOf(bucket);
            assertThat(Histogram.bucketOf(border)).as("bucket of %d", border).isEqualTo(bucket);
            assertThat(Histogram.bucketOf(border - 1))
                    .as("bucket of %d", border - 1)
                    .isEqualTo(bucket - 1);
        }
    }

    @Test
    void bucketOf_extremes_areInTheOutermostBuckets() {
        assertThat(Histogram.bucketOf(0)).isZero();
        assertThat(Histogram.lowestOf(Histogram.BUCKETS - 1)).isEqualTo(LONGEST);
        assertThat(Histogram.bucketOf(Long.MAX_VALUE)).isEqualTo(Histogram.BUCKETS - 1);
        assertThat(Duration.ofNanos(LONGEST)).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void middleOf_everyBucketFrom64NanosToOneHour_isWithinSevenPercentOfBothEnds() {
        for (int bucket = Histogram.bucketOf(64); bucket < Histogram.BUCKETS - 1; bucket++) {
            long middle = Histogram.middleOf(bucket);
            long lowest = Histogram.lowestOf(bucket);
            long highest = Histogram.lowestOf(bucket + 1) - 1;
            assertThat((double) middle / lowest - 1).as("above %d", lowest).isBetween(0.0, 0.0625);
            assertThat(1 - (double) middle / highest).as("below %d", highest).isBetween(0.0, 0.0625);
        }
    }

    @Test
    void record_negativeDuration_countsAsZero() {
        Histogram histogram = new Histogram();

        histogram.record(-5);

        HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
        assertThat(snapshot.count()).isEqualTo(1);
        assertThat(snapshot.totalNanos()).isZero();
        assertThat(snapshot.maxNanos()).isZero();
        assertThat(snapshot.percentileNanos(0.5)).isZero();
    }

    @Test
    void record_withWeight_countsAsThatMany() {
        Histogram histogram = new Histogram();

        histogram.record(1_000, 3);

        HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
        assertThat(snapshot.count()).isEqualTo(3);
        assertThat(snapshot.totalNanos()).isEqualTo(3_000);
        assertThat(snapshot.maxNanos()).isEqualTo(1_000);
    }

    @Test
    void record_beyondTheLastBucket_keepsTotalAndMaximumExact() {
        Histogram histogram = new Histogram();

        histogram.record(LONGEST * 3);
        histogram.record(1_000);

        HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
        assertThat(snapshot.maxNanos()).isEqualTo(LONGEST * 3);
        assertThat(snapshot.totalNanos()).isEqualTo(LONGEST * 3 + 1_000);
        assertThat(snapshot.percentileNanos(1)).isEqualTo(LONGEST * 3);
    }

    /** One writer without any synchronisation, a reader that must never see a count, total or maximum go down. */
    @Test
    void snapshot_whileTheOwnerWrites_neverGoesDownAndEndsExact() throws InterruptedException {
        Histogram histogram = new Histogram();
        int values = 3_000_000;
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<String> fault = new AtomicReference<>();
        Thread reader = new Thread(() -> {
            HistogramSnapshot before = HistogramSnapshot.EMPTY;
            while (!done.get()) {
                HistogramSnapshot now = HistogramSnapshot.of(histogram);
                if (now.count() < before.count()
                        || now.totalNanos() < before.totalNanos()
                        || now.maxNanos() < before.maxNanos()
                        || now.totalNanos() < now.count()) {
                    fault.compareAndSet(null, before + " then " + now);
                }
                before = now;
            }
        });
        reader.start();
        long total = 0;
        for (int i = 1; i <= values; i++) {
            int value = 1 + (i * 31) % 100_000;
            histogram.record(value);
            total += value;
        }
        done.set(true);
        reader.join();

        assertThat(fault).hasValue(null);
        HistogramSnapshot end = HistogramSnapshot.of(histogram);
        assertThat(end.count()).isEqualTo(values);
        assertThat(end.totalNanos()).isEqualTo(total);
        assertThat(end.maxNanos()).isEqualTo(100_000);
    }
}
