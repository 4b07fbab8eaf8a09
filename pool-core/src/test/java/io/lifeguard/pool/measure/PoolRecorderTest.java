package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolRecorderTest {

    private final PoolRecorder pool = new PoolRecorder(CpuClock.none());

    @Test
    void read_nothingYet_isEmpty() {
        PoolReading reading = new PoolRecorder().read();

        assertThat(reading.begun()).isZero();
        assertThat(reading.completed()).isZero();
        assertThat(reading.kinds()).isEmpty();
        assertThat(reading.cpuKnown()).isEqualTo(CpuClock.system().isSupported());
        assertThat(reading.overhead().perTaskNanos()).isZero();
    }

    @Test
    void read_liveAndRetiredWorkers_addsAllOfThem() {
        List<WorkerRecorder> workers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            WorkerRecorder worker = pool.newWorker();
            worker.begin(0, -100, "kind-" + i % 3);
            worker.end(1_000 * (i + 1), i % 2 == 0);
            workers.add(worker);
        }
        for (int i : new int[] {9, 0, 4}) {
            pool.retire(workers.get(i));
            pool.retire(workers.get(i));
        }

        PoolReading reading = pool.read();

        assertThat(pool.workers()).hasSize(7).doesNotContain(workers.get(9), workers.get(0), workers.get(4));
        assertThat(reading.begun()).isEqualTo(10);
        assertThat(reading.completed()).isEqualTo(10);
        assertThat(reading.failed()).isEqualTo(5);
        assertThat(reading.service().totalNanos()).isEqualTo(55_000);
        assertThat(reading.service().maxNanos()).isEqualTo(10_000);
        assertThat(reading.queueWait().totalNanos()).isEqualTo(1_000);
        assertThat(reading.kinds().stream().mapToLong(KindReading::count)).containsExactly(4L, 3L, 3L);
    }

    /** The first worker's recorder is kept as it is until the second worker starts. */
    @Test
    void read_firstWorkerRetiredBeforeTheSecondStarts_countsEachOnce() {
        AtomicLong time = new AtomicLong(9_000);
        PoolRecorder timed = new PoolRecorder(CpuClock.none(), time::get, new SplittableRandom(1));
        WorkerRecorder first = timed.newWorker();
        first.idle(0);
        first.begin(300, 200, "kind");
        first.end(1_300, true);
        first.close(1_300);

        timed.retire(first);
        timed.retire(first);
        assertThat(timed.workers()).isEmpty();
        assertThat(timed.busyWorkers()).isZero();
        assertSums(timed, 1, 1_000, 300);

        WorkerRecorder second = timed.newWorker();
        timed.retire(first);
        assertThat(timed.workers()).containsExactly(second);
        assertSums(timed, 1, 1_000, 300);

        second.begin(5_000, 5_000, "kind");
        second.end(7_000, false);
        assertSums(timed, 2, 3_000, 300);
        second.close(7_000);
        timed.retire(second);
        assertSums(timed, 2, 3_000, 300);
        assertThat(timed.read().failed()).isOne();
    }

    private static void assertSums(PoolRecorder pool, int tasks, long serviceNanos, long idleNanos) {
        PoolReading reading = pool.read();
        assertThat(reading.begun()).isEqualTo(tasks);
        assertThat(reading.completed()).isEqualTo(tasks);
        assertThat(reading.service().totalNanos()).isEqualTo(serviceNanos);
        assertThat(reading.idleNanos()).isEqualTo(idleNanos);
        assertThat(pool.idleNanos()).isEqualTo(idleNanos);
        assertThat(reading.kinds())
                .singleElement()
                .satisfies(kind -> assertThat(kind.count()).isEqualTo(tasks));
    }

    @Test
    void idleNanos_workersIdleAndRetired_areSummed() {
        AtomicLong time = new AtomicLong();
        PoolRecorder timed = new PoolRecorder(CpuClock.none(), time::get, new SplittableRandom(1));
        WorkerRecorder first = timed.newWorker();
        WorkerRecorder second = timed.newWorker();
        first.idle(0);
        second.idle(400);
        time.set(1_000);
        assertThat(timed.idleNanos()).isEqualTo(1_600);
        assertThat(timed.workers()).allMatch(WorkerRecorder::isIdle).hasSize(2);

        first.close(1_000);
        timed.retire(first);
        second.begin(1_500, 1_500, "kind");
        time.set(5_000);

        assertThat(timed.idleNanos()).isEqualTo(2_100);
        assertThat(timed.read().idleNanos()).isEqualTo(2_100);
        assertThat(timed.workers()).noneMatch(WorkerRecorder::isIdle);
        assertThat(timed.busyWorkers()).isOne();
    }

    @Test
    void blockedSubmitAndCallerRun_fromManyThreads_areAllCounted() throws InterruptedException {
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    for (int k = 0; k < 10_000; k++) {
                        pool.blockedSubmit(1_000);
                        pool.callerRun(2_000);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        PoolReading reading = pool.read();
        assertThat(reading.blockedSubmit().count()).isEqualTo(40_000);
        assertThat(reading.blockedSubmit().totalNanos()).isEqualTo(40_000_000);
        assertThat(reading.callerRun().count()).isEqualTo(40_000);
        assertThat(reading.callerRun().totalNanos()).isEqualTo(80_000_000);
    }

    /**
     * A worker retires in the middle of a reading. The reader asks for the time just before it adds an idle worker, and
     * that call retires the worker.
     */
    @Test
    void read_workerRetiresBeforeItIsAdded_countsItOnce() {
        AtomicReference<Runnable> whenAsked = new AtomicReference<>(() -> {});
        PoolRecorder interrupted = new PoolRecorder(
                CpuClock.none(),
                () -> {
                    whenAsked.getAndSet(() -> {}).run();
                    return 10_000;
                },
                new SplittableRandom(1));
        for (int position = 0; position < 3; position++) {
            WorkerRecorder retiring = interrupted.newWorker();
            WorkerRecorder other = interrupted.newWorker();
            for (WorkerRecorder worker : List.of(retiring, other)) {
                worker.begin(0, 0, "kind");
                worker.end(1_000, false);
                worker.idle(1_000); // the reader asks the time only for an idle worker
            }
            WorkerRecorder victim = position == 1 ? other : retiring;
            whenAsked.set(() -> interrupted.retire(victim));

            assertThat(interrupted.read().completed()).isEqualTo(2L * (position + 1));
            assertThat(interrupted.workers()).doesNotContain(victim);
            assertThat(interrupted.read().completed()).isEqualTo(2L * (position + 1));
        }
    }

    /** Four threads run many short workers each, while two readers check what must hold at every moment. */
    @Test
    void read_whileWorkersComeAndGo_isConsistentAndEndsExact() throws InterruptedException {
        int threads = 4;
        int lives = 400;
        int tasks = 250;
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<String> fault = new AtomicReference<>();
        List<Thread> readers = IntStream.range(0, 2)
                .mapToObj(i -> new Thread(() -> {
                    PoolReading before = pool.read();
                    while (!done.get()) {
                        PoolReading now = pool.read();
                        String wrong = inconsistency(before, now);
                        if (wrong != null) {
                            fault.compareAndSet(null, wrong + ": " + before + " then " + now);
                        }
                        before = now;
                    }
                }))
                .toList();
        List<Thread> writers = IntStream.range(0, threads)
                .mapToObj(i -> new Thread(() -> {
                    for (int life = 0; life < lives; life++) {
                        live(pool, tasks);
                    }
                }))
                .toList();
        readers.forEach(Thread::start);
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(fault).hasValue(null);
        PoolReading end = pool.read();
        long all = (long) threads * lives * tasks;
        assertThat(end.begun()).isEqualTo(all);
        assertThat(end.completed()).isEqualTo(all);
        assertThat(end.failed()).isEqualTo(all / 10);
        assertThat(end.queueWait().count()).isEqualTo(all);
        assertThat(end.service().totalNanos()).isEqualTo(all * 1_000);
        assertThat(end.queueWait().totalNanos()).isEqualTo(all * 100);
        assertThat(end.kinds().stream().mapToLong(KindReading::count).sum()).isEqualTo(all);
        assertThat(end.kinds().stream().mapToLong(KindReading::wallNanos).sum()).isEqualTo(all * 1_000);
        assertThat(pool.workers()).isEmpty();
    }

    private static void live(PoolRecorder pool, int tasks) {
        WorkerRecorder worker = pool.newWorker();
        long now = 0;
        for (int i = 0; i < tasks; i++) {
            worker.begin(now, now - 100, "kind-" + i % 20);
            now += 1_000;
            worker.end(now, i % 10 == 0);
        }
        worker.close(now);
        pool.retire(worker);
    }

    private static String inconsistency(PoolReading before, PoolReading now) {
        long inKinds = now.kinds().stream().mapToLong(KindReading::count).sum();
        if (now.completed() > now.begun()) {
            return "more completed than begun";
        }
        if (now.failed() > now.completed()) {
            return "more failed than completed";
        }
        if (inKinds > now.completed()) {
            return "more in kinds than completed";
        }
        if (now.completed() > now.queueWait().count() || now.queueWait().count() > now.begun()) {
            return "waits between completed and begun";
        }
        if (now.completed() < before.completed() || now.begun() < before.begun() || now.failed() < before.failed()) {
            return "went down";
        }
        return now.service().totalNanos() < now.completed() * 1_000 ? "counted without its time" : null;
    }

    @Test
    void read_tenThousandKinds_isBounded() {
        WorkerRecorder worker = pool.newWorker();
        for (int i = 0; i < 10_000; i++) {
            worker.begin(i, i, i % 2 == 0 ? GeneratedClasses.define("gen.Kind" + i) : "name\n" + i);
            worker.end(i + 1, false);
        }

        List<KindReading> kinds = pool.read().kinds();

        assertThat(kinds).hasSize(KindTable.CAPACITY);
        assertThat(kinds.stream().mapToLong(KindReading::count).sum()).isEqualTo(10_000);
        assertThat(kinds.get(0)).isEqualTo(new KindReading("(other)", 10_000 - 128, 10_000 - 128, -1, 0));
        assertThat(kinds).noneMatch(kind -> kind.kind().contains("\n"));
    }
}
