package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.window.CarrierLooks.Why;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A print of all threads is asked for so rarely that it takes 0.2 % of the time. */
class CarrierPrintTest {

    private long now;
    private int prints;
    private final CarrierPrint print = new CarrierPrint(() -> now, this::print);

    private List<Mounted> print() {
        now += TimeUnit.MILLISECONDS.toNanos(10);
        prints++;
        return List.of(new Mounted("c", Why.COMPUTES, "A.b(A.java:" + prints + ")", "", List.of()));
    }

    private String place() {
        return print.mounted().stream().map(Mounted::place).findFirst().orElse("");
    }

    @Test
    void mounted_printTookTenMillis_isRepeatedAfterFiveSeconds() {
        assertThat(place()).isEqualTo("A.b(A.java:1)");
        long begin = now;
        assertThat(place()).as("the first one is not counted").isEqualTo("A.b(A.java:2)");
        now = begin + TimeUnit.MILLISECONDS.toNanos(4_999);
        assertThat(place()).isEqualTo("A.b(A.java:2)");
        print.forget();
        assertThat(place()).as("it is over").isEmpty();
        now = begin + TimeUnit.MILLISECONDS.toNanos(5_000);
        assertThat(place()).isEqualTo("A.b(A.java:3)");
    }
}
