package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.scenarios.Producer.Stretch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** The upper limit: threads that run the task in a loop, without a producer or a queue. */
final class BareLoops {
    private static final int BATCH = 16;

    private BareLoops() {}

    static Stretch run(int threads, Runnable task, long nanos) {
        LongAdder ran = new LongAdder();
        CountDownLatch done = new CountDownLatch(threads);
        long start = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        ran.add(loop(task, start, nanos));
                        done.countDown();
                    })
                    .start();
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the loops ran", e);
        }
        return new Stretch(ran.sum(), System.nanoTime() - start);
    }

    private static long loop(Runnable task, long start, long nanos) {
        long ran = 0;
        while (System.nanoTime() - start < nanos) {
            for (int i = 0; i < BATCH; i++) {
                task.run();
            }
            ran += BATCH;
        }
        return ran;
    }
}
