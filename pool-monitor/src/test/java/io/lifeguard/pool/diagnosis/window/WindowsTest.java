package io.lifeguard.pool.diagnosis.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.testing.Windows;
import org.junit.jupiter.api.Test;

/** The windows that rules are tested with have the values that a test gives them. */
class WindowsTest {

    @Test
    void build_valuesGiven_windowHasThem() {
        PoolWindow window = Windows.of("orders")
                .size(16)
                .busy(12)
                .tasks(300, 200)
                .queued(10, 110)
                .capacity(200)
                .service(0.06)
                .cpu(0.01)
                .queueWait(0.5)
                .system(2, 0.4, 1000, 33)
                .process(2, 1.5, 0.2, 0.95)
                .build();
        assertThat(window.pool()).isEqualTo("orders");
        assertThat(window.seconds()).isCloseTo(1, within(1e-6));
        assertThat(window.busyWorkers()).isCloseTo(12, within(1e-6));
        assertThat(window.submitted()).isEqualTo(300);
        assertThat(window.throughput()).isCloseTo(200, within(1e-3));
        assertThat(window.before().queued()).isEqualTo(10);
        assertThat(window.queueCapacity()).isEqualTo(200);
        assertThat(window.serviceTime().meanSeconds()).isCloseTo(0.06, within(1e-6));
        assertThat(window.cpuTime().orElseThrow().meanSeconds()).isCloseTo(0.01, within(1e-6));
        assertThat(window.queueWait().meanSeconds()).isCloseTo(0.5, within(1e-6));
        assertThat(window.workers()).hasSize(16);
        assertThat(window.workerTimes().orElseThrow().voluntarySwitches()).isEqualTo(1000);
        assertThat(window.process().cpuShare().orElseThrow()).isCloseTo(0.85, within(1e-6));
    }

    @Test
    void build_systemNotGiven_isUnknown() {
        PoolWindow window = Windows.of("orders").build();
        assertThat(window.cpuTime()).isEmpty();
        assertThat(window.workerTimes()).isEmpty();
        assertThat(window.isSaturated()).isFalse();
    }

    @Test
    void times_five_joinsFiveSeconds() {
        PoolWindow window = Windows.of("orders").system(1, 0, 5, 5).times(5);
        assertThat(window.windows()).isEqualTo(5);
        assertThat(window.last(5).seconds()).isCloseTo(5, within(1e-6));
        assertThat(window.last(5).completed()).isEqualTo(500);
        assertThat(window.last(5).workerTimes().orElseThrow().cpu()).hasSeconds(5);
    }
}
