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

/** Pools that would grow by themselves: one that never can, and one that should not. */
public final class StaticSizeStory extends Story {

    private static final String ID = "max-size-unreachable";
    private static final int MOST = 64;
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
                "Static beats dynamic",
                "Tasks that hash 256 KiB. Pools of core size " + cores + " and maximum size " + MOST
                        + ", against one of " + cores + ".");

        InstrumentedThreadPoolExecutor hopeful =
                new InstrumentedThreadPoolExecutor(cores, MOST, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        Act never = fillOnce(stage, hopeful, length, hashing);
        stage.tell("before", never);
        Optional<Finding> neverGrows = never.finding(ID);
        stage.tell(neverGrows, ID);

        InstrumentedThreadPoolExecutor growing = new InstrumentedThreadPoolExecutor(
                cores, MOST, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(QUEUE), BlockingWaitPolicy.forever());
        Act grown = stage.feed("grows to " + MOST, growing, length, hashing::run);
        stage.tell("before", grown);
        Optional<Finding> growsInVain = grown.finding(ID);
        stage.tell(growsInVain, ID);

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
                        "%.2f× the throughput with size %d instead of %d, and the slowest percent of the tasks in 1/%.0f of the time",
                        after.rate() / grown.rate(),
                        cores,
                        MOST,
                        shorter));
        return neverGrows.isPresent() && growsInVain.isPresent();
    }

    /** A queue without a bound makes nobody wait, so the submitter keeps a backlog of a thousand by itself. */
    private static Act fillOnce(Stage stage, InstrumentedThreadPoolExecutor pool, Duration length, Hashing hashing)
            throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < length.toNanos()) {
            while (pool.getQueue().size() < QUEUE) {
                pool.execute(hashing::run);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return stage.close("may grow to " + MOST + ", queue without a bound", pool, start);
    }
}
