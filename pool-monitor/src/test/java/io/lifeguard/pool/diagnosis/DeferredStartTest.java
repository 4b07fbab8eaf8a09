package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Actions given while the start is put off run at the start, in order and once. */
class DeferredStartTest {

    private final DeferredStart<PoolMonitor> start = new DeferredStart<>();
    private final List<String> done = new ArrayList<>();

    private void start() {
        start.now();
        try (PoolMonitor monitor = PoolMonitor.builder().onlyRules(List.of()).build()) {
            start.catchUp(monitor);
        }
    }

    @Test
    void defer_notPutOff_defersNothing() {
        assertThat(start.defer(monitor -> done.add("first"))).isFalse();
        start();
        assertThat(done).isEmpty();
    }

    @Test
    void defer_putOff_runsAtTheStartInOrderAndOnce() {
        start.putOff();
        assertThat(start.defer(monitor -> done.add("first"))).isTrue();
        assertThat(start.defer(monitor -> done.add("second"))).isTrue();
        assertThat(done).isEmpty();
        start();
        start();
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void defer_started_defersNothing() {
        start.putOff();
        start();
        assertThat(start.defer(monitor -> done.add("first"))).isFalse();
    }

    @Test
    void putOff_started_hasNoEffect() {
        start();
        start.putOff();
        assertThat(start.defer(monitor -> done.add("first"))).isFalse();
    }

    static Stream<Runnable> failures() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                () -> {
                    throw new NoClassDefFoundError("on purpose");
                });
    }

    @ParameterizedTest
    @MethodSource("failures")
    void catchUp_actionThatFails_runsTheOthers(Runnable failure) {
        start.putOff();
        start.defer(monitor -> failure.run());
        start.defer(monitor -> done.add("second"));
        start();
        assertThat(done).containsExactly("second");
    }
}
