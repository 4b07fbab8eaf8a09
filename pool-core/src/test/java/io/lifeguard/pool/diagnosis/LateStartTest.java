package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked for while the start is put off is done when it comes, in order and once. */
class LateStartTest {

    private final LateStart start = new LateStart();
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
    void defer_putOff_isDoneAtTheStartInOrderAndOnce() {
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

    @Test
    void catchUp_actionThatFails_doesTheOthers() {
        start.putOff();
        start.defer(monitor -> {
            throw new IllegalStateException("mine");
        });
        start.defer(monitor -> done.add("second"));
        start();
        assertThat(done).containsExactly("second");
    }

    @Test
    void catchUp_actionThatFailsWithAnError_doesTheOthersAndHarmsNobody() {
        start.putOff();
        start.defer(monitor -> {
            throw new NoClassDefFoundError("on purpose");
        });
        start.defer(monitor -> done.add("second"));
        start();
        assertThat(done).containsExactly("second");
    }
}
