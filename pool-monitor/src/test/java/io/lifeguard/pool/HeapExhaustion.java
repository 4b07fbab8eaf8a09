package io.lifeguard.pool;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.recording.EventType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * A program that fills its heap again and again, while a pool of two with a short queue runs tasks and a monitor looks
 * at it. With the argument {@code recorded} a flight recording notes every task. After each time the pool must go on.
 * In the end each task must have run that {@code execute} accepted, and none for which it threw. Exits with 0 if all
 * that is so. Started by {@link HeapExhaustionTest} in a JVM of its own.
 */
final class HeapExhaustion {

    private static final int WORKERS = 2;
    private static final int EXHAUSTIONS = 8;
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static volatile @Nullable Object heap;

    private static final AtomicLong accepted = new AtomicLong();
    private static final AtomicLong refused = new AtomicLong();
    private static final AtomicLong ran = new AtomicLong();
    private static volatile boolean ends;

    private HeapExhaustion() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0 && arguments[0].equals("recorded")) {
            Recording recording = new Recording(); // runs until the program ends
            recording.enable(EventType.TASK.eventName()).withThreshold(Duration.ZERO);
            recording.start();
        }
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("heap")
                .size(WORKERS)
                .queueCapacity(16)
                .build();
        PoolMonitor.global().findings();
        Thread submitter = new Thread(() -> submit(pool), "submitter");
        submitter.setDaemon(true);
        submitter.start();
        long recorded = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500);
        while (System.nanoTime() < recorded) {
            LockSupport.parkNanos(1_000_000);
        }
        for (int i = 0; i < EXHAUSTIONS; i++) {
            exhaust();
            long before = ran.get();
            long limit = System.nanoTime() + PATIENCE_NANOS;
            while (ran.get() < before + 2 * WORKERS) {
                if (System.nanoTime() > limit) {
                    System.out.println("stands still after " + (i + 1) + ": " + pool.snapshot() + " " + pool.workers());
                    System.exit(1);
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
        ends = true;
        submitter.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
        pool.shutdown();
        boolean isOver = pool.awaitTermination(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        System.out.println(
                "accepted " + accepted + ", refused " + refused + ", ran " + ran + (isOver ? "" : ", has not ended"));
        System.exit(isOver && ran.get() == accepted.get() ? 0 : 1);
    }

    /** Each task is long enough to be recorded, and allocates nothing. */
    private static void submit(InstrumentedThreadPoolExecutor pool) {
        Runnable task = () -> {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(25);
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            ran.incrementAndGet();
        };
        while (!ends) {
            try {
                pool.execute(task);
                accepted.incrementAndGet();
            } catch (OutOfMemoryError e) {
                refused.incrementAndGet();
            }
        }
    }

    private static void exhaust() {
        int size = 1 << 16;
        long until = System.nanoTime() + FULL_NANOS;
        while (System.nanoTime() < until) {
            try {
                heap = new Object[] {heap, new byte[size]};
            } catch (OutOfMemoryError e) {
                size = Math.max(16, size >> 1);
            }
        }
        heap = null;
    }
}
