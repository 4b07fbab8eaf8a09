package io.lifeguard.pool.benchmarks.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.scenarios.Producer.Stretch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class ProducerTest {
    private static final int TWO_CHUNKS = 2 * 4_096;

    @Test
    void run_noBound_keepsAtMostTwoChunksOutstanding() {
        LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        LongAdder tooMany = new LongAdder();
        LongAdder ran = new LongAdder();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, queue);
        try {
            Runnable task = () -> {
                ran.increment();
                // two markers may wait besides
                if (queue.size() > TWO_CHUNKS + 2) {
                    tooMany.increment();
                }
            };
            Stretch stretch = new Producer(pool, () -> task, Rival.UNBOUNDED).run(Long.MAX_VALUE, 200_000);

            assertThat(stretch.tasks()).isBetween(200_000L, 200_064L);
            assertThat(ran.sum())
                    .as("all have been started, and two may just have been")
                    .isBetween(stretch.tasks() - 2, stretch.tasks());
            assertThat(tooMany.sum()).isZero();
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void run_bounded_waitsUntilTheLastHasRun() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            LongAdder ran = new LongAdder();
            Stretch stretch = new Producer(pool, () -> ran::increment, 1_024).run(Long.MAX_VALUE, 1_000);

            assertThat(ran.sum()).isEqualTo(stretch.tasks());
            assertThat(stretch.nanos()).isPositive();
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void run_forATime_endsSoonAfter() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Stretch stretch = new Producer(pool, () -> () -> {}, Rival.UNBOUNDED).run(20_000_000, Long.MAX_VALUE);

            assertThat(stretch.nanos()).isGreaterThanOrEqualTo(20_000_000);
            assertThat(stretch.tasks()).isPositive();
        } finally {
            pool.shutdown();
        }
    }
}
