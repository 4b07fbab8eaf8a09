package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.window.CarrierLooks.Why;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A print of all threads is asked for so rarely that it takes 0.2 % of the time. */
class CarrierPrintTest {

    private static final List<Mounted> SEEN = List.of(new Mounted("c", Why.COMPUTES, "A.b(A.java:1)", "", List.of()));

    private long now;
    private final CarrierPrint print = new CarrierPrint(() -> now, this::print);

    private List<Mounted> print() {
        now += TimeUnit.MILLISECONDS.toNanos(10);
        return SEEN;
    }

    @Test
    void mounted_printTookTenMillis_pausesForFiveSeconds() {
        assertThat(print.mounted()).isEqualTo(SEEN);
        long begin = now;
        assertThat(print.mounted()).as("the first one is not counted").isEqualTo(SEEN);
        now = begin + TimeUnit.MILLISECONDS.toNanos(4_999);
        assertThat(print.mounted()).isEmpty();
        now = begin + TimeUnit.MILLISECONDS.toNanos(5_000);
        assertThat(print.mounted()).isEqualTo(SEEN);
    }
}
