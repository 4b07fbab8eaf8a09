package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** An executor that is read by its getters has the meters of other pools. */
class ExternalPoolMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Executor server = Runnable::run;
    private PoolGauges gauges = new PoolGauges(4, 3, 0, 100, 2, 8, 50);

    private double value(String meter) {
        return registry.get(meter)
                .tag("name", "http")
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    @Test
    void bindTo_executor_hasWhatItsGettersSay() {
        new ExternalPoolMetrics<>(server, "http", executor -> gauges).bindTo(registry);

        assertThat(value(MeterRow.ACTIVE.name())).isEqualTo(3);
        assertThat(value(MeterRow.POOL_SIZE.name())).isEqualTo(4);
        assertThat(value(MeterRow.POOL_CORE.name())).isEqualTo(2);
        assertThat(value(MeterRow.POOL_MAX.name())).isEqualTo(8);
        assertThat(value(MeterRow.QUEUED.name())).isZero();
        assertThat(value(MeterRow.QUEUE_REMAINING.name())).isEqualTo(50);
        assertThat(value(MeterRow.COMPLETED.name())).isEqualTo(100);
        assertThat(value(MeterRow.SATURATION.name())).isEqualTo(3 / 8.0);
        gauges = new PoolGauges(8, 8, 20, 110, 2, 8, 30);
        assertThat(value(MeterRow.SATURATION.name()))
                .as("the mean with the reading before")
                .isEqualTo((3 / 8.0 + 1) / 2);
        assertThat(value(MeterRow.SATURATION.name())).as("never more than 1").isEqualTo(1);
    }

    @Test
    void bindTo_executorThatCountsNoTasks_hasNoCounter() {
        gauges = new PoolGauges(4, 3, 0, PoolGauges.UNKNOWN, 2, 8, 50);
        new ExternalPoolMetrics<>(server, "http", executor -> gauges).bindTo(registry);
        assertThat(registry.find(MeterRow.COMPLETED.name()).meter()).isNull();
        assertThat(registry.find(MeterRow.ACTIVE.name()).meter()).isNotNull();
    }

    @Test
    void close_meterOfAnotherBinder_staysAndTheOthersGo() {
        Gauge other = Gauge.builder(MeterRow.ACTIVE.name(), () -> 1)
                .tag("name", "http")
                .register(registry);
        ExternalPoolMetrics<Executor> metrics = new ExternalPoolMetrics<>(server, "http", executor -> gauges);
        metrics.bindTo(registry);
        assertThat(value(MeterRow.ACTIVE.name())).as("of the other binder").isEqualTo(1);

        metrics.close();

        assertThat(registry.getMeters()).extracting(Meter::getId).containsExactly(other.getId());
    }
}
