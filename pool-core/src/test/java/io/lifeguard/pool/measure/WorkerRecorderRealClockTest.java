package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.os.NativeThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Compares a worker with real clocks with the operating system's account of its thread. The bounds are wide, because
 * the machine has other things to do. The narrow bounds are in {@link CpuMeterTest}.
 */
class WorkerRecorderRealClockTest {

    private static final int TASKS = 40_000;

    private final PoolRecorder pool = new PoolRecorder();
    private volatile long sink = 1;
    private long osNanos;

    @Test
    void read_backlog_agreesWithTheOperatingSystem() throws InterruptedException {
        PoolReading reading = readingOf(0);

        assertThat((double) reading.cpu().totalNanos() / osNanos).isBetween(0.85, 1.05);
        assertThat(reading.cpu().count()).isBetween((long) (0.9 * TASKS), (long) (1.1 * TASKS));
    }

    @Test
    void read_parkingNowAndThen_accountsForTasksAndIdlenessTogether() throws InterruptedException {
        PoolReading reading = readingOf(20);

        long reads = reading.overhead().cpuClockReads() * CpuClock.system().costNanos();
        long accounted = reading.cpu().totalNanos() + reading.idleCpuNanos() + reads;
        assertThat((double) accounted / osNanos).isBetween(0.85, 1.15);
        assertThat(reading.idleNanos()).isPositive();
    }

    private PoolReading readingOf(int parkEvery) throws InterruptedException {
        assumeTrue(Files.exists(account()) && CpuClock.system().isSupported());
        Thread thread = new Thread(() -> work(parkEvery));
        thread.start();
        thread.join();
        return pool.read();
    }

    private void work(int parkEvery) {
        compute(3_000_000); // compiled before it is measured
        WorkerRecorder worker = pool.newWorker();
        long osBefore = osNanos();
        long now = System.nanoTime();
        for (int i = 0; i < TASKS; i++) {
            worker.begin(now, now, "kind-" + i % 2);
            compute(i % 2 == 0 ? 1_000 : 10_000);
            now = System.nanoTime();
            worker.end(now, false);
            if (parkEvery > 0 && i % parkEvery == 0) {
                worker.idle(now);
                worker.parking(System.nanoTime());
                LockSupport.parkNanos(100_000);
                now = System.nanoTime();
            }
        }
        worker.close(now);
        osNanos = osNanos() - osBefore;
        pool.retire(worker);
    }

    private static long osNanos() {
        try {
            return Long.parseLong(Files.readString(account()).split(" ", -1)[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Linux keeps it; its first number is the CPU time in nanoseconds. */
    private static Path account() {
        return Path.of("/proc/self/task/" + NativeThread.currentId() + "/schedstat");
    }

    /** Steps that no compiler can join: of shorter tasks too few would be sampled. */
    private void compute(int steps) {
        long x = sink;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        sink = x;
    }
}
