package io.lifeguard.examples.stories;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Two pools with a larger maximum size: one can never grow, and the other one should not. */
public final class StaticSizeStory extends Story {

    private static final String ID = "max-size-unreachable";
    private static final int MAX_SIZE = 64;
    private static final int QUEUE = 1_000;

    /** Creates the story. */
    public StaticSizeStory() {
        super("story-static-size", "a pool that may grow, under load that the CPU cannot carry, against a static one");
    }

    @Override
    boolean tell(Stage stage, Options options) throws InterruptedException {
        Duration length = options.secondsOr(8);
        int cores = Runtime.getRuntime().availableProcessors();
        Hashing hashing = new Hashing(256 * 1_024);
        stage.title(
                "A static size beats a growing one",
                "Tasks that hash 256 KiB. Pools of core size " + cores + " and maximum size " + MAX_SIZE
                        + ", against one of " + cores + ".");

        InstrumentedThreadPoolExecutor unbounded =
                new InstrumentedThreadPoolExecutor(cores, MAX_SIZE, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        Act neverGrown = fillOnce(stage, unbounded, length, hashing);
        stage.tell("before", neverGrown);
        Optional<Finding> neverGrows = neverGrown.finding(ID);
        stage.tell(neverGrows, ID);

        InstrumentedThreadPoolExecutor growing = new InstrumentedThreadPoolExecutor(
                cores, MAX_SIZE, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(QUEUE), BlockingWaitPolicy.forever());
        Act grown = stage.feed("grows to " + MAX_SIZE, growing, length, hashing::run);
        stage.tell("before", grown);
        Optional<Finding> growsInVain = grown.finding(ID);
        stage.tell(growsInVain, ID);

        stage.cureBegins();
        InstrumentedThreadPoolExecutor fixed = InstrumentedThreadPoolExecutor.named("static")
                .size(cores)
                .queueCapacity(QUEUE)
                .build();
        Act after = stage.feed("static, " + cores + " threads", fixed, length, hashing::run);
        stage.tell("after", after);
        double shorter = (double)
                        grown.snapshot().serviceTime().percentile(0.99).toNanos()
                / Math.max(1, after.snapshot().serviceTime().percentile(0.99).toNanos());
        stage.told(
                "ratio",
                String.format(
                        Locale.ROOT,
                        "%.2f× the throughput with size %d instead of %d; the 99th percentile of the service"
                                + " time is 1/%.0f",
                        after.rate() / grown.rate(),
                        cores,
                        MAX_SIZE,
                        shorter));
        return neverGrows.isPresent() && growsInVain.isPresent();
    }

    /**
     * Keeps 1,000 tasks queued. An unbounded queue never makes its submitter wait, so this method checks the length.
     */
    private static Act fillOnce(Stage stage, InstrumentedThreadPoolExecutor pool, Duration length, Hashing hashing)
            throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < length.toNanos()) {
            while (pool.getQueue().size() < QUEUE) {
                pool.execute(hashing::run);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return stage.close("may grow to " + MAX_SIZE + ", unbounded queue", pool, start);
    }
}
