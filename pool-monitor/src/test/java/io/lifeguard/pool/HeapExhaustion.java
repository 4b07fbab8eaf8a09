package io.lifeguard.pool;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A program that fills its heap again and again, while a pool of two with a short queue runs recorded tasks. After each
 * time the pool must go on. Exits with 0 if it did. Started by {@link HeapExhaustionTest} in a JVM of its own.
 */
final class HeapExhaustion {

    private static final int WORKERS = 2;
    private static final int EXHAUSTIONS = 8;
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static volatile @Nullable Object heap;

    private HeapExhaustion() {}

    public static void main(String[] arguments) {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("heap")
                .size(WORKERS)
                .queueCapacity(16)
                .build();
        PoolMonitor.global().findings();
        AtomicLong ran = new AtomicLong();
        Thread submitter = new Thread(() -> submitForever(pool, ran), "submitter");
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
        System.exit(0);
    }

    /** Each task is long enough to be recorded, and allocates nothing. */
    private static void submitForever(InstrumentedThreadPoolExecutor pool, AtomicLong ran) {
        Runnable task = () -> {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(25);
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            ran.incrementAndGet();
        };
        while (true) {
            try {
                pool.execute(task);
            } catch (OutOfMemoryError e) {
                Thread.onSpinWait(); // not accepted
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
