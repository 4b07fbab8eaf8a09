package io.lifeguard.pool.benchmarks.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final Duration LEAST = Duration.ofMillis(800);

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong compiled = new AtomicLong();
    private final WarmUp warmUp = WarmUp.of(compiled::get, clock::get);

    @Test
    void run_compilersQuiet_twoStretchesMore() {
        warmUp.run(clock::addAndGet, LEAST);

        assertThat(clock.get()).isEqualTo(1_400_000_000);
    }

    @Test
    void run_compilersBusyForTwoSeconds_untilTheyAreQuiet() {
        warmUp.run(
                nanos -> {
                    clock.addAndGet(nanos);
                    compiled.addAndGet(clock.get() <= 2_000_000_000 ? 100 : 10);
                },
                LEAST);

        assertThat(clock.get()).isEqualTo(2_600_000_000L);
    }

    @Test
    void run_compilationCountedWhenItEnds_itsSilenceIsNoQuiet() {
        AtomicLong stretches = new AtomicLong();
        warmUp.run(
                nanos -> {
                    clock.addAndGet(nanos);
                    // it began in the third, which looked quiet
                    compiled.addAndGet(stretches.incrementAndGet() == 4 ? 280 : 0);
                },
                LEAST);

        assertThat(stretches.get()).isEqualTo(6);
    }

    @Test
    void run_compilersNeverQuiet_ends() {
        warmUp.run(
                nanos -> {
                    clock.addAndGet(nanos);
                    compiled.addAndGet(100);
                },
                LEAST);

        assertThat(Duration.ofNanos(clock.get())).isEqualTo(LEAST.plus(Duration.ofMillis(16 * 300)));
    }

    @Test
    void run_slowWork_judgedByItsOwnTime() {
        warmUp.run(
                nanos -> {
                    clock.addAndGet(10 * nanos);
                    compiled.addAndGet(100);
                },
                LEAST);

        assertThat(clock.get()).isEqualTo(14_000_000_000L);
    }

    @Test
    void ofThisJvm_realCompilers_ends() {
        AtomicLong worked = new AtomicLong();
        WarmUp.ofThisJvm().run(worked::addAndGet, LEAST);

        assertThat(worked.get()).isGreaterThanOrEqualTo(1_400_000_000);
    }
}
