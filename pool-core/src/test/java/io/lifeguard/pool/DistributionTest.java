package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.Histogram;
import io.lifeguard.pool.measure.HistogramSnapshot;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Distributions that are empty, unknown, or asked with invalid arguments. */
class DistributionTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final Distribution empty = new SnapshotDistribution(HistogramSnapshot.EMPTY, Accuracy.EXACT);
    private final Distribution unknown = SnapshotDistribution.unknown("there is no clock here");

    @Test
    void everyMethod_nothingRecorded_returnsZero() {
        assertThat(empty.count()).isZero();
        assertThat(empty.total()).isZero();
        assertThat(empty.mean()).isZero();
        assertThat(empty.max()).isZero();
        assertThat(empty.percentile(0.99)).isZero();
        assertThat(empty.isKnown()).isTrue();
    }

    @Test
    void everyMethodButCount_unknown_throwsWithTheReason() {
        assertThat(unknown.count()).isZero();
        assertThat(unknown.isKnown()).isFalse();
        assertThat(unknown.accuracy()).isEqualTo(Accuracy.UNKNOWN);
        assertThat(unknown).hasToString("Distribution[unknown: there is no clock here]");
        assertThatThrownBy(unknown::total)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no clock here");
        assertThatThrownBy(unknown::mean)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no clock here");
        assertThatThrownBy(unknown::max)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no clock here");
        assertThatThrownBy(() -> unknown.percentile(0.5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no clock here");
    }

    /** 1,800 s each, whose sum is no longer counted after 292 years: total / count would be 768 s. */
    private static Distribution saturated() {
        Histogram histogram = new Histogram();
        histogram.record(TimeUnit.MINUTES.toNanos(30), 12_000_000);
        return new SnapshotDistribution(HistogramSnapshot.of(histogram), Accuracy.EXACT);
    }

    @Test
    void mean_ofASumThatIsTooGreat_isUnknownAndTheRestIsNot() {
        Distribution saturated = saturated();

        assertThat(saturated.isMeanKnown()).isFalse();
        assertThatThrownBy(saturated::mean)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the mean is unknown, because the sum of the values has reached 292 years");
        assertThat(saturated.isKnown()).isTrue();
        assertThat(saturated.count()).isEqualTo(12_000_000);
        assertThat(saturated.max()).isEqualTo(Duration.ofMinutes(30));
        assertThat(saturated).hasToString("Distribution[count=12000000, mean=unknown, max=30 min, EXACT]");
        assertThat(empty.isMeanKnown()).isTrue();
        assertThat(unknown.isMeanKnown()).isFalse();
    }

    @Test
    void mean_sinceASumThatWasTooGreat_isUnknownAndOfNothingIsZero() {
        Histogram histogram = new Histogram();
        histogram.record(TimeUnit.MINUTES.toNanos(30), 5_000_000);
        Distribution before = new SnapshotDistribution(HistogramSnapshot.of(histogram), Accuracy.EXACT);

        assertThat(before.mean()).isEqualTo(Duration.ofMinutes(30));
        assertThat(saturated().since(before).isMeanKnown()).isFalse();
        assertThat(saturated().since(before).count()).isEqualTo(7_000_000);
        assertThat(saturated().since(saturated()).mean()).isZero();
    }

    @Test
    void table_ofASumThatIsTooGreat_saysThatTheMeanIsUnknown() {
        PoolSnapshot snapshot = PoolSnapshot.builder("old")
                .times(new PoolSnapshot.Times(empty, saturated(), unknown, empty, empty, Duration.ZERO))
                .build();

        assertThat(snapshot.toTable().lines().filter(line -> line.contains("service time")))
                .singleElement()
                .asString()
                .containsPattern("12,000,000 +unknown ")
                .endsWith(">292 years");
    }

    @Test
    void since_earlierOfTheSamePool_isTheDifference() {
        Histogram histogram = new Histogram();
        histogram.record(5_000_000);
        Distribution before = new SnapshotDistribution(HistogramSnapshot.of(histogram), Accuracy.EXACT);
        histogram.record(1_000);
        Distribution since = new SnapshotDistribution(HistogramSnapshot.of(histogram), Accuracy.EXACT).since(before);
        assertThat(since.count()).isOne();
        assertThat(since.total()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(since.max()).isBetween(Duration.ofNanos(1_000), Duration.ofNanos(1_125));
        assertThat(since.countBelow(Duration.ofNanos(1_024))).isOne();
    }

    @Test
    void since_oneIsUnknown_isTheLaterDistribution() {
        assertThat(empty.since(unknown)).isSameAs(empty);
        assertThat(unknown.since(empty)).isSameAs(unknown);
    }

    @Test
    void countBelow_anyLength_neverThrows() {
        assertThat(empty.countBelow(Duration.ofSeconds(Long.MAX_VALUE))).isZero();
        assertThat(unknown.countBelow(Duration.ofSeconds(1))).isZero();
        assertThatThrownBy(() -> empty.countBelow(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bound must not be negative (was PT-1S)");
    }

    /** A common mistake is 50 instead of 0.5. */
    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, 50, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
    void percentile_quantileOutOfRange_isRefusedWithTheValue(double quantile) {
        for (Distribution distribution : new Distribution[] {empty, unknown}) {
            assertThatThrownBy(() -> distribution.percentile(quantile))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("quantile must be between 0 and 1 (was " + quantile + ")");
        }
    }

    @Test
    void everyMethod_valuesRecorded_resultsAgree() {
        ThreadPoolExecutor pool =
                fixture.closing(PoolType.INSTRUMENTED.make(1, 500, new ThreadPoolExecutor.AbortPolicy()));
        for (int i = 0; i < 500; i++) {
            pool.execute(() -> {});
        }
        fixture.eventually("all counted", () -> snapshot(pool).completed() == 500);
        Distribution service = snapshot(pool).serviceTime();
        assertThat(service.accuracy()).isEqualTo(Accuracy.EXACT);
        assertThat(service.mean()).isEqualTo(service.total().dividedBy(service.count()));
        Duration before = Duration.ZERO;
        for (double quantile = 0; quantile <= 1; quantile += 0.05) {
            Duration percentile = service.percentile(quantile);
            assertThat(percentile).isBetween(before, service.max());
            before = percentile;
        }
        assertThat(service.toString())
                .startsWith("Distribution[count=500, mean=")
                .endsWith(", EXACT]");
    }

    private static PoolSnapshot snapshot(ThreadPoolExecutor pool) {
        return ((InstrumentedPool) pool).snapshot();
    }
}
