package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import io.lifeguard.pool.testing.ChildJvm;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuClockTest {

    @Test
    void none_knowsNothing() {
        assertThat(CpuClock.none().isSupported()).isFalse();
        assertThat(CpuClock.none().nanos()).isEqualTo(Unknown.NUMBER);
        assertThat(CpuClock.none().costNanos()).isZero();
    }

    @Test
    void system_onThisThread_advancesWithWork() {
        CpuClock clock = CpuClock.system();
        assumeTrue(clock.isSupported());

        long before = clock.nanos();
        long deadline = System.nanoTime() + 1_000_000_000;
        while (clock.nanos() < before + 1_000_000 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }

        assertThat(clock.nanos()).isGreaterThanOrEqualTo(before + 1_000_000);
        assertThat(clock.costNanos()).isPositive();
        assertThat(CpuClock.system()).isSameAs(clock);
    }

    /** Its 170 classes would delay the thread that makes the first pool. */
    @Test
    void system_recordersAreMade_isLoadedOnlyWhenItIsAsked(@TempDir Path directory) throws Exception {
        String text = ChildJvm.run(
                directory,
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                RecordersThenClock.class.getName());

        assertThat(text.indexOf(SharedRecorder.class.getName())).isBetween(0, text.indexOf("MADE"));
        assertThat(text.indexOf(ThreadCpuTime.class.getName())).isGreaterThan(text.indexOf("MADE"));
    }

    /** Runs in a JVM of its own. */
    static final class RecordersThenClock {

        private RecordersThenClock() {}

        public static void main(String[] arguments) {
            System.out.println(new PoolRecorder() + " and " + new SharedRecorder() + " MADE");
            System.out.println(CpuClock.system().isSupported());
        }
    }

    /** As on a virtual thread: the clock answers at once, and that costs nothing. */
    @Test
    void calibrate_threadWithoutClock_costIsLearntOnAThreadWithAClock() {
        AtomicBoolean hasClock = new AtomicBoolean();
        CpuClock clock = CpuClock.uncalibrated(() -> hasClock.get() ? spin(20_000) : Unknown.NUMBER);
        long first = clock.costNanos();
        clock.calibrateFirst();
        clock.calibrate();
        assertThat(clock.costNanos()).isEqualTo(first).isPositive();

        hasClock.set(true);
        clock.calibrateFirst();

        assertThat(clock.costNanos()).isGreaterThanOrEqualTo(20_000);
    }

    private static long spin(long nanos) {
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < nanos) {
            now = System.nanoTime();
        }
        return now & Long.MAX_VALUE;
    }

    /** Needs a virtual machine that has virtual threads, 21 or later. */
    @Test
    void nanos_onAVirtualThread_isUnknownAndTheRestIsMeasured() throws Throwable {
        MethodHandle start = startVirtualThread();
        assumeTrue(start != null, "no virtual threads here");
        PoolRecorder pool = new PoolRecorder();
        CompletableFuture<Long> seen = new CompletableFuture<>();

        Thread thread = (Thread) start.invoke((Runnable) () -> {
            WorkerRecorder worker = pool.newWorker();
            for (int i = 0; i < 1_000; i++) {
                worker.begin(i * 1_000L, i * 1_000L - 10, String.class);
                worker.end(i * 1_000L + 1_000, false);
            }
            worker.idle(1_000_000);
            worker.parking(1_000_000);
            worker.close(1_000_000);
            pool.retire(worker);
            seen.complete(CpuClock.system().nanos());
        });
        thread.join();

        assertThat(seen.getNow(null)).isEqualTo(Unknown.NUMBER);
        PoolReading reading = pool.read();
        assertThat(reading.cpuKnown()).isFalse();
        assertThat(reading.completed()).isEqualTo(1_000);
        assertThat(reading.service().totalNanos()).isEqualTo(1_000_000);
        assertThat(reading.kinds()).containsExactly(new KindReading("java.lang.String", 1_000, 1_000_000, -1, 10_000));
    }

    private static MethodHandle startVirtualThread() throws IllegalAccessException {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
        } catch (NoSuchMethodException ignored) { // before Java 21
            return null;
        }
    }
}
