package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerRecorderTest {

    @Test
    void read_afterTwoTasksAndIdleness_showsThem() {
        PoolRecorder pool = new PoolRecorder(CpuClock.none());
        WorkerRecorder worker = pool.newWorker();
        long now = System.nanoTime() - 1_000_000;

        worker.begin(now, now - 700, String.class);
        assertThat(worker.isBusy()).isTrue();
        assertThat(worker.currentKind()).isEqualTo("java.lang.String");
        worker.end(now + 1_000, false);
        worker.begin(now + 1_000, WorkerRecorder.UNKNOWN_WAIT, "named");
        worker.end(now + 11_000, true);
        worker.idle(now + 11_000);
        assertThat(worker.isBusy()).isFalse();
        assertThat(worker.isIdle()).isTrue();
        assertThat(worker.idleNanosTotal(now + 16_000)).isEqualTo(5_000);

        PoolReading reading = pool.read();
        assertThat(reading.begun()).isEqualTo(2);
        assertThat(reading.completed()).isEqualTo(2);
        assertThat(reading.failed()).isEqualTo(1);
        assertThat(reading.queueWait().totalNanos()).isEqualTo(700);
        assertThat(reading.service().totalNanos()).isEqualTo(11_000);
        assertThat(reading.kinds())
                .containsExactly(
                        new KindReading("java.lang.String", 1, 1_000, CpuClock.UNKNOWN, 700),
                        new KindReading("named", 1, 10_000, CpuClock.UNKNOWN, 0));
        assertThat(reading.cpuKnown()).isFalse();
        assertThat(reading.overhead().perTaskNanos()).isPositive();
    }
}
