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

    static List<String> pools() {
        return Rivals.all().stream()
                .map(Rival::name)
                .filter(name -> !name.equals(Rivals.CEILING))
                .toList();
    }

    /** Far more tasks than fit: every one runs, none on the submitter's thread, and none is refused. */
    @ParameterizedTest
    @MethodSource("pools")
    void execute_queueFull_waitsAndRunsEverything(String name) throws InterruptedException {
        Rival rival = Rivals.named(name).orElseThrow();
        int capacity = rival.supports(8) ? 8 : Rival.UNBOUNDED;
        Thread submitter = Thread.currentThread();
        LongAdder onSubmitter = new LongAdder();
        CountDownLatch done = new CountDownLatch(TASKS);
        try (RivalPool pool = rival.start(2, capacity)) {
            for (int i = 0; i < TASKS; i++) {
                pool.executor().execute(() -> {
                    if (Thread.currentThread() == submitter) {
                        onSubmitter.increment();
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(onSubmitter.sum()).isZero();
    }

    @Test
    void cpuNanos_stockPool_isUnknown() {
        try (RivalPool pool = Rivals.named(Rivals.BASELINE).orElseThrow().start(1, 8)) {
            assertThat(pool.cpuNanos()).isEqualTo(RivalPool.UNKNOWN);
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
