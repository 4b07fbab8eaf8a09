package io.lifeguard.pool.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RivalsTest {
    private static final int TASKS = 5_000;

    static List<Rival> boundedPools() {
        return pools(8);
    }

    static List<Rival> unboundedPools() {
        return pools(Rival.UNBOUNDED);
    }

    private static List<Rival> pools(int capacity) {
        return Rivals.all().stream()
                .filter(rival -> !rival.name().equals(Rivals.CEILING))
                .filter(rival -> rival.supports(capacity))
                .toList();
    }

    /** Far more tasks than fit: each one runs on a worker, and none is refused. */
    @ParameterizedTest
    @MethodSource("boundedPools")
    void execute_queueFull_waitsAndRunsEverything(Rival rival) throws InterruptedException {
        assertThat(tasksOnWorkers(rival, 8)).isEqualTo(TASKS);
    }

    @ParameterizedTest
    @MethodSource("unboundedPools")
    void execute_unboundedQueue_runsEverything(Rival rival) throws InterruptedException {
        assertThat(tasksOnWorkers(rival, Rival.UNBOUNDED)).isEqualTo(TASKS);
    }

    private static long tasksOnWorkers(Rival rival, int capacity) throws InterruptedException {
        Thread submitter = Thread.currentThread();
        LongAdder onWorkers = new LongAdder();
        CountDownLatch done = new CountDownLatch(TASKS);
        try (RivalPool pool = rival.start(2, capacity)) {
            for (int i = 0; i < TASKS; i++) {
                pool.executor().execute(() -> {
                    if (Thread.currentThread() != submitter) {
                        onWorkers.increment();
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        return onWorkers.sum();
    }

    @Test
    void cpuNanos_stockPool_isUnknown() {
        try (RivalPool pool = Rivals.named(Rivals.BASELINE).orElseThrow().start(1, 8)) {
            assertThat(pool.times().cpuNanos()).isNaN();
        }
    }

    @Test
    void start_queueItCannotHave_isRefused() {
        Rival array = Rivals.named("tpe-abq").orElseThrow();

        assertThat(array.supports(Rival.UNBOUNDED)).isFalse();
        assertThatThrownBy(() -> array.start(2, Rival.UNBOUNDED)).hasMessageContaining("tpe-abq cannot be had");
    }

    @Test
    void named_nobody_isEmpty() {
        assertThat(Rivals.named("nobody")).isEmpty();
    }
}
