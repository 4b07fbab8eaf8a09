package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums of times that no number of nanoseconds can hold. */
class PoolTimeTest {

    @Test
    void totalNanos_ofASumThatIsTooGreat_isNoNumber() {
        Snapshots old = new Snapshots(1).served(12_000_000, 12_000_000 * 1800.0);
        Reading reading = new Reading(old.snapshot(), null, null, ThreadTimes.NONE, List.of(), 0, 0, 0);

        assertThat(PoolTime.SERVICE_TIME.totalNanos(reading)).isNaN();
        assertThat(PoolTime.SERVICE_TIME.count(reading)).isEqualTo(12_000_000);
        assertThat(PoolTime.QUEUE_WAIT.totalNanos(reading)).isZero();
    }
}
