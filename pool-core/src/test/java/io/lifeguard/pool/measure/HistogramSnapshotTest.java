package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistogramSnapshotTest {

    private static final double[] PERCENTILES = {0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1};

    record Shape(String name, ToDoubleFunction<SplittableRandom> draw) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Shape> shapes() {
        return Stream.of(
                new Shape("constant", random -> 12_345),
                new Shape("uniform", random -> 100 + random.nextDouble(1e9)),
                new Shape("log-uniform from 100 ns to 1 h", random -> 100 * Math.pow(3.6e10, random.nextDouble())),
                new Shape("exponential", random -> 100 - 50_000 * Math.log(1 - random.nextDouble())),
                new Shape("lognormal", random -> 100 + 1e6 * Math.exp(1.5 * gaussian(random))),
                new Shape("bimodal", random -> random.nextInt(100) < 95 ? 1_000 + random.nextInt(100) : 3e9),
                new Shape("powers of two", random -> 1L << (7 + random.nextInt(34))),
                new Shape("just below powers of two", random -> (1L << (7 + random.nextInt(34))) - 1));
    }

    @Test
    void countBelow_countsOfEveryLength_areKept() {
        Histogram histogram = new Histogram();
        long expected = 0;
        for (int bits = 0; bits < 55; bits++) {
            long weight = (1L << bits) - (bits % 2); // as many ones as zeros, in one to eight bytes
            if (weight > 0) {
                histogram.record(1_000L << (bits % 20), weight);
                expected += weight;
            }
        }
        HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
        assertThat(snapshot.count()).isEqualTo(expected);
        assertThat(snapshot.countBelow(Long.MAX_VALUE - 1)).isEqualTo(expected);
        assertThat(snapshot.since(snapshot).count()).isZero();
    }

    @Test
    void of_nothing_isTheOneEmptySnapshot() {
        assertThat(HistogramSnapshot.of(new Histogram(), new Histogram())).isSameAs(HistogramSnapshot.EMPTY);
    }

    @Test
    void countBelow_powersOfTwo_isExactAndOnlyGrows() {
        SplittableRandom random = new SplittableRandom(3);
        Histogram histogram = new Histogram();
        long[] before = new long[50];
        long[] truth = new long[50];
        for (int i = 0; i < 5_000; i++) {
            long value = (long) (100 * Math.pow(3.6e11, random.nextDouble()));
            histogram.record(value);
            HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
            for (int bit = 7; bit < 42; bit++) {
                truth[bit] += value < 1L << bit ? 1 : 0;
                long count = snapshot.countBelow(1L << bit);
                assertThat(count).as("below 2^%d", bit).isEqualTo(truth[bit]).isGreaterThanOrEqualTo(before[bit]);
                before[bit] = count;
            }
            assertThat(snapshot.countBelow(Long.MAX_VALUE)).isEqualTo(i + 1);
        }
    }

    @Test
    void countBelow_betweenBorders_isTooSmallByNoMoreThanABucketAndOnlyGrows() {
        Histogram histogram = new Histogram();
        histogram.record(1_000);
        long first = HistogramSnapshot.of(histogram).countBelow(1_001);
        histogram.record(10_000);
        assertThat(HistogramSnapshot.of(histogram).countBelow(1_001))
                .isEqualTo(first)
                .isLessThanOrEqualTo(1);
        assertThat(HistogramSnapshot.of(histogram).countBelow(1_130)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void since_anyShape_isWhatWasRecordedBetween(Shape shape) {
        SplittableRandom random = new SplittableRandom(9);
        Histogram all = new Histogram();
        Histogram later = new Histogram();
        for (int i = 0; i < 1_000; i++) {
            all.record((long) shape.draw.applyAsDouble(random));
        }
        HistogramSnapshot before = HistogramSnapshot.of(all);
        assertThat(HistogramSnapshot.of(all).since(before).count()).isZero();
        assertThat(HistogramSnapshot.of(all).since(before).maxNanos()).isZero();
        for (int i = 0; i < 1_000; i++) {
            long value = (long) shape.draw.applyAsDouble(random);
            all.record(value);
            later.record(value);
        }
        HistogramSnapshot difference = HistogramSnapshot.of(all).since(before);
        HistogramSnapshot truth = HistogramSnapshot.of(later);
        assertThat(difference.count()).isEqualTo(1_000);
        assertThat(difference.totalNanos()).isEqualTo(truth.totalNanos());
        assertThat((double) difference.maxNanos() / truth.maxNanos()).isBetween(1.0, 1.125);
        assertThat((double) difference.percentileNanos(0.5) / truth.percentileNanos(0.5))
                .isBetween(0.99, 1.01);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void percentileNanos_anyShape_isWithinSevenPercentOfTheSortedArray(Shape shape) {
        SplittableRandom random = new SplittableRandom(7);
        for (int size : new int[] {1, 2, 10, 999, 20_000}) {
            Histogram histogram = new Histogram();
            long[] values = new long[size];
            for (int i = 0; i < size; i++) {
                values[i] = (long) shape.draw.applyAsDouble(random);
                histogram.record(values[i]);
            }
            Arrays.sort(values);
            HistogramSnapshot snapshot = HistogramSnapshot.of(histogram);
            assertThat(snapshot.count()).isEqualTo(size);
            assertThat(snapshot.totalNanos()).isEqualTo(Arrays.stream(values).sum());
            assertThat(snapshot.maxNanos()).isEqualTo(values[size - 1]);
            for (double p : PERCENTILES) {
                long truth = values[(int) Math.max(0, Math.ceil(p * size) - 1)];
                assertThat((double) snapshot.percentileNanos(p) / truth)
                        .as("p%s of %d values: %d", p * 100, size, truth)
                        .isBetween(0.93, 1.07);
            }
        }
    }

    @Test
    void percentileNanos_one_isTheMaximum() {
        Histogram histogram = new Histogram();
        histogram.record(100);
        histogram.record(1_234_567);

        assertThat(HistogramSnapshot.of(histogram).percentileNanos(1)).isEqualTo(1_234_567);
    }

    @Test
    void percentileNanos_nothingRecorded_isZero() {
        assertThat(HistogramSnapshot.EMPTY.percentileNanos(0.5)).isZero();
        assertThat(HistogramSnapshot.EMPTY.meanNanos()).isZero();
        assertThat(HistogramSnapshot.EMPTY.maxNanos()).isZero();
    }

    @Test
    void percentileNanos_outOfRange_isRefusedWithTheValue() {
        for (double p : new double[] {-0.01, 1.01, 50, Double.NaN}) {
            assertThatThrownBy(() -> HistogramSnapshot.EMPTY.percentileNanos(p))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("percentile must be between 0 and 1 (was " + p + ")");
        }
    }

    @Test
    void plus_twoSnapshots_equalsOneOfEverything() {
        SplittableRandom random = new SplittableRandom(3);
        Histogram first = new Histogram();
        Histogram second = new Histogram();
        Histogram both = new Histogram();
        for (int i = 0; i < 5_000; i++) {
            long value = random.nextLong(1L << random.nextInt(10, 42));
            (i % 3 == 0 ? first : second).record(value);
            both.record(value);
        }

        HistogramSnapshot expected = HistogramSnapshot.of(both);
        HistogramSnapshot sum = HistogramSnapshot.of(first, second);
        assertThat(sum).hasToString(expected.toString());
        assertThat(sum.meanNanos()).isEqualTo(expected.meanNanos());
        for (double p : PERCENTILES) {
            assertThat(sum.percentileNanos(p)).isEqualTo(expected.percentileNanos(p));
        }
    }

    private static double gaussian(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
