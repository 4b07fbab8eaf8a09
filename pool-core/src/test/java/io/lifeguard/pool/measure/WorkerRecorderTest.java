package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.os.Unknown;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerRecorderTest {

    private final AtomicLong time = new AtomicLong(1_000_000);
    private final PoolRecorder pool = new PoolRecorder(CpuClock.none(), time::get, new SplittableRandom(1));
    private final WorkerRecorder worker = pool.newWorker();

    @Test
    void read_afterTwoTasksAndIdleness_showsThem() {
        worker.begin(1_000_000, 999_300, String.class);
        worker.end(1_001_000, false);
        worker.begin(1_001_000, Unknown.NUMBER, "named");
        worker.end(1_011_000, true);
        worker.idle(1_011_000);
        time.set(1_016_000);

        PoolReading reading = pool.read();

        assertThat(reading.begun()).isEqualTo(2);
        assertThat(reading.completed()).isEqualTo(2);
        assertThat(reading.failed()).isEqualTo(1);
        assertThat(reading.queueWait().count()).isEqualTo(1);
        assertThat(reading.queueWait().totalNanos()).isEqualTo(700);
        assertThat(reading.service().totalNanos()).isEqualTo(11_000);
        assertThat(reading.service().maxNanos()).isEqualTo(10_000);
        assertThat(reading.idleNanos()).isEqualTo(5_000);
        assertThat(reading.kinds())
                .containsExactly(
                        new KindReading("java.lang.String", 1, 1_000, Unknown.NUMBER, 700),
                        new KindReading("named", 1, 10_000, Unknown.NUMBER, 0));
    }

    @Test
    void state_eachPhaseOfAWorker_isShown() {
        assertThat(worker.isBusy()).isFalse();
        assertThat(worker.isIdle()).isFalse();
        assertThat(worker.busySinceNanos()).isEqualTo(WorkerRecorder.NOT_BUSY);

        worker.begin(100, 90, "first");
        assertThat(worker.isBusy()).isTrue();
        assertThat(worker.busySinceNanos()).isEqualTo(100);
        assertThat(worker.currentKind()).isEqualTo("first");
        assertThat(worker.begun()).isEqualTo(1);
        assertThat(worker.service.count()).isZero();

        worker.end(300, false);
        assertThat(worker.isBusy()).isFalse();
        assertThat(worker.isIdle()).isFalse();
        assertThat(worker.service.count()).isEqualTo(1);

        worker.idle(300);
        worker.parking(350);
        assertThat(worker.isIdle()).isTrue();
        assertThat(worker.idleNanosTotal(() -> 500)).isEqualTo(200);

        worker.begin(600, 590, "second");
        assertThat(worker.isIdle()).isFalse();
        assertThat(worker.currentKind()).isEqualTo("second");
        worker.end(700, true);
        worker.idle(700);
        worker.close(800);
        assertThat(worker.isIdle()).isFalse();
        assertThat(worker.idleNanosTotal(() -> 10_000)).isEqualTo(400);
        assertThat(worker.failed()).isEqualTo(1);
    }

    @Test
    void leave_shortTask_isRecordedWithTheNextCall() {
        long now = leaveOne();
        assertThat(worker.isBusy()).isFalse();
        long before = pool.read().completed();
        assertThat(pool.read().begun()).isEqualTo(before + 1);

        worker.begin(now, now - 10, "next");

        PoolReading reading = pool.read();
        assertThat(reading.completed()).isEqualTo(before + 1);
        assertThat(reading.kinds().get(0))
                .isEqualTo(new KindReading("left", before + 1, 20 * (before + 1), Unknown.NUMBER, 7 * (before + 1)));
    }

    @Test
    void idle_afterATaskThatWasLeft_recordsIt() {
        long now = leaveOne();
        long before = pool.read().completed();

        worker.idle(now);

        assertThat(pool.read().completed()).isEqualTo(before + 1);
        assertThat(pool.read().begun()).isEqualTo(before + 1);
    }

    @Test
    void close_afterATaskThatWasLeft_recordsIt() {
        long now = leaveOne();

        worker.close(now);
        pool.retire(worker);

        assertThat(pool.read().completed()).isEqualTo(pool.read().begun());
    }

    @Test
    void forget_afterATaskThatWasLeft_keepsIt() {
        long now = leaveOne();

        worker.forget(); // an Error has struck before the next task began
        worker.idle(now);

        assertThat(pool.read().completed()).isEqualTo(pool.read().begun());
    }

    /** The recorder writes histograms and kinds by itself. It records what their own methods would. */
    @Test
    void begin_manyTasks_areRecordedAsByTheHistogramsAndKindsThemselves() {
        Histogram waits = new Histogram();
        Histogram services = new Histogram();
        KindCounts kinds = new KindCounts();
        SplittableRandom random = new SplittableRandom(7);
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            long wait = random.nextLong(-10, 1L << random.nextInt(63)); // a negative one counts as zero
            long lasted = random.nextLong(1L << random.nextInt(20));
            int kind = random.nextInt(3);
            boolean isWaitKnown = now - wait != Unknown.NUMBER && random.nextInt(10) > 0;
            worker.begin(now, isWaitKnown ? now - wait : Unknown.NUMBER, "kind-" + kind);
            now += lasted;
            if (!worker.leave(now)) {
                worker.end(now, false);
            }
            if (isWaitKnown) {
                waits.record(wait);
            }
            services.record(lasted);
            kinds.add(kind, lasted, isWaitKnown ? Math.max(0, wait) : 0);
        }
        worker.idle(now);

        assertAgree(worker.queueWait, waits);
        assertAgree(worker.service, services);
        for (KindReading reading : pool.read().kinds()) {
            int row = KindCounts.WIDTH * (reading.kind().charAt("kind-".length()) - '0');
            assertThat(reading.count()).isEqualTo(kinds.own[row + KindCounts.COUNT]);
            assertThat(reading.wallNanos()).isEqualTo(kinds.own[row + KindCounts.WALL]);
            assertThat(reading.waitNanos()).isEqualTo(kinds.own[row + KindCounts.WAIT]);
        }
    }

    private static void assertAgree(Histogram actual, Histogram expected) {
        assertThat(actual.counts).containsExactly(expected.counts);
        assertThat(actual.total).isEqualTo(expected.total);
        assertThat(actual.max).isEqualTo(expected.max);
    }

    @Test
    void leave_longTask_hasToBeEnded() {
        worker.begin(0, 0, "long");
        assertThat(worker.leave(1_000_000)).isFalse();
        assertThat(worker.isBusy()).isTrue();
        worker.end(1_000_000, false);
        assertThat(pool.read().completed()).isEqualTo(1);
    }

    /** Runs tasks of 20 ns that waited for 7, until one may be left. Returns when it ended. */
    private long leaveOne() {
        for (long now = 0; now < 10_000; ) {
            worker.begin(now, now - 7, "left");
            now += 20;
            if (worker.leave(now)) {
                return now;
            }
            worker.end(now, false);
        }
        throw new AssertionError("the CPU clock is read after each task");
    }

    @Test
    void begin_acceptedAfterItsBegin_countsAWaitOfZero() {
        worker.begin(1_000, 1_500, "kind");
        worker.end(900, false);

        PoolReading reading = pool.read();
        assertThat(reading.queueWait().count()).isEqualTo(1);
        assertThat(reading.queueWait().totalNanos()).isZero();
        assertThat(reading.service().totalNanos()).isZero();
    }

    @Test
    void begin_withoutKind_isOther() {
        worker.begin(0, 0, null);
        worker.end(10, false);

        assertThat(pool.read().kinds()).containsExactly(new KindReading("(other)", 1, 10, Unknown.NUMBER, 0));
    }

    /** The clock stops answering after a while, as when CPU timing is switched off. */
    @Test
    void read_cpuClockBreaksDown_cpuIsUnknownAndTheRestIsMeasured() {
        AtomicLong reads = new AtomicLong();
        CpuClock breaking = CpuClock.of(() -> reads.incrementAndGet() > 10 ? -1 : time.get(), 450);
        PoolRecorder measured = new PoolRecorder(breaking, time::get, new SplittableRandom(1));
        WorkerRecorder recorder = measured.newWorker();
        for (int i = 0; i < 1_000; i++) {
            recorder.begin(time.get(), time.get(), "kind");
            if (i == 3) {
                assertThat(measured.read().cpuKnown()).isTrue();
            }
            recorder.end(time.addAndGet(100_000), false);
            if (i % 3 == 0) {
                recorder.idle(time.get());
                recorder.parking(time.addAndGet(5_000));
                time.addAndGet(50_000);
            }
        }
        recorder.close(time.get());

        PoolReading reading = measured.read();
        assertThat(reading.cpuKnown()).isFalse();
        assertThat(reading.service().count()).isEqualTo(1_000);
        assertThat(reading.service().totalNanos()).isBetween(100_000_000L - 11 * 450, 100_000_000L); // less its reads
        assertThat(reading.kinds().get(0).cpuNanos()).isEqualTo(Unknown.NUMBER);
        assertThat(reads).hasValue(11);
    }

    /** The class can be collected while pool and worker live on. */
    @Test
    void idle_afterATaskOfAnotherLoader_doesNotKeepItsClassAlive() {
        WeakReference<Class<?>> type = new WeakReference<>(runTaskOfNewClass());

        await().until(() -> {
            System.gc();
            return type.get() == null;
        });

        assertThat(pool.read().kinds())
                .singleElement()
                .satisfies(kind -> assertThat(kind.kind()).isEqualTo("gen.Gone"));
        Reference.reachabilityFence(worker);
    }

    private Class<?> runTaskOfNewClass() {
        Class<?> type = GeneratedClasses.define("gen.Gone");
        worker.begin(0, 0, type);
        worker.end(10, false);
        worker.idle(10);
        return type;
    }
}
