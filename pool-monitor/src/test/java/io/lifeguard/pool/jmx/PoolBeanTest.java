package io.lifeguard.pool.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.testing.Times;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What JMX shows of figures that are not known. */
class PoolBeanTest {

    /** A pool that has run for 292 years of its workers' time. */
    private static final class OldPool implements InstrumentedPool {

        @Override
        public String name() {
            return "old";
        }

        @Override
        public PoolSnapshot snapshot() {
            Distribution none = Times.exponential(0, 0);
            Distribution saturated = Times.exponential(12_000_000, 12_000_000 * 1800.0);
            return PoolSnapshot.builder(name())
                    .times(new PoolSnapshot.Times(none, saturated, none, none, none, Duration.ZERO))
                    .build();
        }
    }

    @Test
    void mean_ofASumThatIsTooGreat_isNoNumber() {
        OldPool pool = new OldPool();
        PoolBean bean = new PoolBean(pool, name -> List.of());

        assertThat(bean.getServiceTimeMean()).isNaN();
        assertThat(bean.getQueueWaitMean()).isZero();
        assertThat(bean.getServiceTimeP99()).isPositive();
        assertThat(pool).as("held weakly by the bean").isNotNull();
    }
}
