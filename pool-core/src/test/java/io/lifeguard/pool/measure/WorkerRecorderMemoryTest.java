package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lifeguard.pool.os.NativeThread;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Measured by the virtual machine's count of the bytes that a thread has allocated. */
class WorkerRecorderMemoryTest {

    private static final Object[] KINDS = {String.class, Integer.class, "named", Long.class, "another"};
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void record_oneMillionTasks_allocatesNothing() {
        PoolRecorder pool = new PoolRecorder();
        WorkerRecorder worker = pool.newWorker();
        run(worker, 20_000);

        long before = allocated();
        run(worker, 1_000_000);
        long bytes = allocated() - before;

        assertThat(bytes).isLessThan(2_000);
        assertThat(pool.read().completed()).isEqualTo(1_020_000);
    }

    /** Back to back, spinning and parking, kinds in turn, and reads of the real CPU clock. */
    private static void run(WorkerRecorder worker, int tasks) {
        long now = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            worker.begin(now, now - i % 10_000, KINDS[i % KINDS.length]);
            now += 1_000 + (i % 100 == 0 ? 200_000 : 0);
            worker.end(now, i % 7 == 0);
            if (i % 5 == 0) {
                worker.idle(now);
                now += 500;
                if (i % 10 == 0) {
                    worker.parking(now);
                    now += 50_000;
                }
            }
        }
    }

    @Test
    void worker_withAllKinds_takesAtMostTwelveKibibytes() {
        KindTable kinds = new KindTable();
        for (int i = 0; i < 200; i++) {
            kinds.numberOf("kind-" + i);
        }
        for (int i = 0; i < 3; i++) {
            new WorkerRecorder(kinds, CpuClock.none(), new SplittableRandom(1)).begin(0, 0, "kind-127");
        }
        SplittableRandom random = new SplittableRandom(1);
        long beforeLookUp = allocated();
        NativeThread.currentId(); // asked once per worker; its allocations are garbage at once
        long lookUp = allocated() - beforeLookUp;

        long before = allocated();
        WorkerRecorder worker = new WorkerRecorder(kinds, CpuClock.none(), random);
        worker.begin(0, 0, "kind-127");
        long bytes = allocated() - before - lookUp;

        long outgrown = 16 + 8L * KindCounts.FIRST_ROWS * KindCounts.WIDTH;
        assertThat(bytes - outgrown).isBetween(4_000L, 12L * 1024);
    }

    @Test
    void pool_withAllKinds_takesAtMostTwentyFourKibibytesAndItsNames() {
        for (int i = 0; i < 3; i++) {
            fill(new PoolRecorder(CpuClock.none()));
        }

        long before = allocated();
        PoolRecorder pool = new PoolRecorder(CpuClock.none());
        long unused = allocated() - before;
        WorkerRecorder worker = pool.newWorker();
        pool.retire(pool.newWorker());
        long withSecond = allocated();
        pool.retire(pool.newWorker());
        long thirdWorker = allocated() - withSecond;
        pool.callerRun(1);
        pool.blockedSubmit(1);
        long bytes = allocated() - before - 3 * thirdWorker;
        pool.retire(worker);
        fill(pool);

        assertThat(unused).isLessThan(2_000);

        long table = 4 * KindTable.CAPACITY + 256;
        assertThat(bytes + table).isBetween(8_000L, 24L * 1024);
    }

    private static void fill(PoolRecorder pool) {
        WorkerRecorder worker = pool.newWorker();
        for (int i = 0; i < 1_000; i++) {
            worker.begin(i, i, "kind-" + i);
            worker.end(i, false);
            pool.callerRun(i);
            pool.blockedSubmit(i);
        }
        pool.retire(worker);
        pool.read();
    }

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
