package io.lifeguard.examples.stories;

import io.lifeguard.examples.Lookout;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/** A pool of 100 threads that wait for a CPU and for each other, against a pool of the recommended size. */
public final class LessIsMoreStory extends Story {

    private static final int WORKERS = 100;
    private static final int WORKING_SET = 2 * 1_024 * 1_024;
    private static final int BLOCKS = 20;
    private static final int STEPS = 100;

    /** Creates the story. */
    public LessIsMoreStory() {
        super("story-less-is-more", "100 threads in a lock convoy, against the recommended size");
    }

    @Override
    Lookout lookout() {
        return Lookout.withWorkerTimes();
    }

    @Override
    boolean tell(Stage stage, Options options) throws InterruptedException {
        Duration length = options.secondsOr(8);
        stage.title(
                "Less concurrency is more",
                WORKERS + " workers. Each task reads and writes " + WORKING_SET / 1_024
                        + " KiB of its thread, and records a sum " + BLOCKS + " times under a fair lock.",
                "A fair lock goes to the thread that has waited longest, so every hand-over is a switch of threads.");
        Act before = stage.feed("size " + WORKERS, pool(WORKERS), length, new Bookkeeping());
        stage.tell("before", before);
        stage.told("", before.use().inWords());
        before.findings().forEach(stage::tell);
        if (before.recommendedSize().isEmpty()) {
            stage.told("finding", "none that recommends a size");
            return false;
        }
        int recommended = before.recommendedSize().getAsInt();
        stage.cureBegins();
        Act after = stage.feed("size " + recommended, pool(recommended), length, new Bookkeeping());
        stage.tell("after", after);
        stage.told("", after.use().inWords());
        for (Finding finding : after.findings()) {
            stage.tell(finding);
        }
        double shorter = (double) before.snapshot().serviceTime().mean().toNanos()
                / Math.max(1, after.snapshot().serviceTime().mean().toNanos());
        stage.told(
                "ratio",
                String.format(
                        Locale.ROOT,
                        "%.2f× the throughput with size %d instead of %d, and each task in 1/%.0f of the time",
                        after.rate() / before.rate(),
                        recommended,
                        WORKERS,
                        shorter));
        return true;
    }

    private static InstrumentedThreadPoolExecutor pool(int workers) {
        return InstrumentedThreadPoolExecutor.named("books-" + workers)
                .size(workers)
                .build();
    }

    /** The task. Thread-safe. */
    private static final class Bookkeeping implements Runnable {
        private final ThreadLocal<byte[]> workingSet = ThreadLocal.withInitial(() -> new byte[WORKING_SET]);
        private final ReentrantLock lock = new ReentrantLock(true);
        private final Map<Integer, Long> booked = new HashMap<>(); // guarded by lock

        @Override
        public void run() {
            byte[] ownBytes = workingSet.get();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int block = 0; block < BLOCKS; block++) {
                long sum = 0;
                for (int i = 0; i < STEPS; i++) {
                    sum += ++ownBytes[random.nextInt(WORKING_SET)];
                }
                lock.lock();
                try {
                    booked.merge(block, sum, Long::sum);
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
