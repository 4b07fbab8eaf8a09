package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Looks at carriers are not judged where nothing tells a full machine from taken carriers. */
class VirtualThreadRoundTest {

    private static final double LATE = 0.1;

    private static Round round(boolean isStarved) {
        return new Round(ProcessWindow.unknown(2), false, isStarved, Map.of(), "");
    }

    private static CarrierLooks looks(long delayMillis, OptionalDouble cpuWait) {
        return new CarrierLooks(
                2, 20, 20, OptionalInt.of(9), Duration.ofMillis(delayMillis), false, List.of(), cpuWait);
    }

    @Test
    void tells_monitorIsStarved_onlyWithTheCarriersWaits() {
        CarrierLooks late = looks(500, OptionalDouble.empty());
        assertThat(VirtualThreadRound.tells(round(true), late, LATE)).isFalse();
        assertThat(VirtualThreadRound.tells(round(false), late, LATE)).isTrue();
        assertThat(VirtualThreadRound.tells(round(true), looks(500, OptionalDouble.of(0.1)), LATE))
                .isTrue();
        assertThat(VirtualThreadRound.tells(round(true), looks(50, OptionalDouble.empty()), LATE))
                .as("not late")
                .isTrue();
    }
}
