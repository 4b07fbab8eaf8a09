package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A print of all threads is asked for so rarely that it takes 0.2 % of the time. */
class CarrierPrintTest {

    private long now;
    private int prints;
    private boolean isShort; // all that is mounted is there for a moment
    private final CarrierPrint print = new CarrierPrint(() -> now, this::print);

    private List<Mounted> print() {
        now += TimeUnit.MILLISECONDS.toNanos(10);
        prints++;
        Mounted moment = new Mounted("d", Why.NATIVE, "Wakeup" + prints + ".set(W.java:1)", "", List.of());
        Mounted computes = new Mounted("c", Why.COMPUTES, "A.b(A.java:" + prints + ")", "", List.of());
        return isShort ? List.of(moment) : List.of(moment, computes);
    }

    private String places() {
        return print.mounted().stream().map(Mounted::place).collect(Collectors.joining(" "));
    }

    @Test
    void mounted_printTookTenMillis_isRepeatedAfterFiveSeconds() {
        assertThat(places()).isEqualTo("A.b(A.java:2)");
        long begin = now - TimeUnit.MILLISECONDS.toNanos(10); // the print that loads everything is not counted
        now = begin + TimeUnit.MILLISECONDS.toNanos(4_999);
        assertThat(places()).isEqualTo("A.b(A.java:2)");
        now = begin + TimeUnit.MILLISECONDS.toNanos(5_000);
        assertThat(places()).as("the print before is known").isEqualTo("A.b(A.java:3)");
        print.forget();
        assertThat(places()).as("it is over").isEmpty();
    }

    /** A selector that is woken up is in native code at that moment. */
    @Test
    void mounted_oneThreadIsThereInBothPrints_leavesOutWhatIsThereForAMoment() {
        assertThat(print.mounted()).extracting(Mounted::why).containsExactly(Why.COMPUTES);
    }

    @Test
    void mounted_noThreadIsThereInBothPrints_isTheLatestPrint() {
        isShort = true;
        assertThat(places()).isEqualTo("Wakeup2.set(W.java:1)");
    }
}
