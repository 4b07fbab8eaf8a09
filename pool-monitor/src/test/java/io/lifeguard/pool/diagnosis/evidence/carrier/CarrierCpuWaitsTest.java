package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.Unknown;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long carriers wait for a CPU. */
class CarrierCpuWaitsTest {

    private final Thread first = new Thread(() -> {});
    private final Thread second = new Thread(() -> {});
    private final Map<Thread, Long> ids = new HashMap<>(Map.of(first, 11L, second, 12L));
    private final Map<Long, ThreadReading> readings = new HashMap<>();
    private long now;
    private long cost; // the CPU time that searches took
    private int searches;

    private final CarrierCpuWaits waits =
            new CarrierCpuWaits(() -> now, () -> cost, () -> List.of(first, second), this::find, readings::get);

    private long find(Thread thread, Collection<Long> taken) {
        searches++;
        cost += TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(taken).as("one of another carrier").doesNotContain(ids.getOrDefault(thread, -2L));
        return ids.getOrDefault(thread, Unknown.NUMBER);
    }

    private void read(long id, long cpuMillis, long delayMillis) {
        readings.put(id, new ThreadReading(cpuMillis * 1_000_000, delayMillis * 1_000_000, 3, 9, false, now));
    }

    /** Whatever has not been read again used no CPU and did not wait for one. */
    private void passSecond() {
        now += TimeUnit.SECONDS.toNanos(1);
        readings();
    }

    @BeforeEach
    void readings() {
        read(11, 500, 100);
        read(12, 905, 200);
    }

    @Test
    void share_carriersWaitForCpu_isTheirMean() {
        waits.begin();
        passSecond();
        read(11, 540, 1_050);
        read(12, 1_005, 1_100);
        assertThat(waits.share()).hasValue(0.925);
    }

    @Test
    void share_notBegun_isUnknown() {
        assertThat(waits.share()).isEmpty();
        waits.begin();
        passSecond();
        assertThat(waits.share()).hasValue(0);
        waits.forget();
        assertThat(waits.hasBegun()).isFalse();
        assertThat(waits.share()).isEmpty();
    }

    @Test
    void share_oneCarrierIsNotFound_isThatOfTheOther() {
        ids.remove(second);
        waits.begin();
        passSecond();
        read(11, 900, 600);
        assertThat(waits.share()).hasValue(0.5);
        readings.remove(11L); // it has ended
        assertThat(waits.share()).isEmpty();
    }

    /** A search reads the names of all threads. Two of 1 ms each are worth 0.4 s. */
    @Test
    void begin_carriersAreNotFound_searchesSeldom() {
        ids.clear();
        waits.begin();
        waits.begin();
        assertThat(searches).isEqualTo(2);
        passSecond();
        waits.begin();
        assertThat(searches).isEqualTo(4);
    }
}
