package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.os.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tasks that are noted first, and counted later. */
class SharedRecorderTest {

    private final SharedRecorder recorder = new SharedRecorder();

    private void record(int tasks) {
        for (int i = 0; i < tasks; i++) {
            recorder.record(100, 300, 1_300, Unknown.NUMBER, i % 2 == 0 ? "even" : "odd", i % 10 == 0);
        }
    }

    /** One stripe counts 64 tasks together, so 100 tasks are in both places. */
    @Test
    void read_tasksNotedAndCounted_hasAll() {
        record(100);
        PoolReading reading = recorder.read();
        assertThat(reading.completed()).isEqualTo(100);
        assertThat(reading.failed()).isEqualTo(10);
        assertThat((double) reading.service().count()).isEqualTo(100);
        assertThat(reading.service().meanNanos()).isEqualTo(1_000.0);
        assertThat(reading.queueWait().meanNanos()).isEqualTo(200.0);
        record(1);
        assertThat(recorder.read().completed()).isEqualTo(101);
        assertThat(recorder.ended()).isEqualTo(101);
    }

    @Test
    void read_whileFourThreadsRecord_neverCountsATaskTwice() throws Exception {
        int threads = 4;
        int tasks = 20_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(() -> record(tasks)));
            }
            long before = 0;
            while (!all.stream().allMatch(Future::isDone)) {
                PoolReading reading = recorder.read();
                assertThat(reading.completed()).isBetween(before, (long) threads * tasks);
                assertThat((double) reading.service().count()).isEqualTo(reading.completed());
                before = reading.completed();
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(recorder.read().completed()).isEqualTo(4L * tasks);
        assertThat(recorder.read().failed()).isEqualTo(4L * tasks / 10);
    }
}
