package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The main class of a fork that follows advice. It runs a pool that is too small and one that is too large beside a
 * monitor with default settings, or plain ones watched by another process. It notes which sizes the findings say, and
 * then measures the first and the last ones, and sizes around them. Stateless.
 */
final class AdvisedMain {

    private static final int FEW = 16; // the small pool is a sixteenth of the large one
    private static final int QUEUE = 1_024; // more than any size, because advice is bounded by the standing work
    private static final double[] AROUND = {0.5, 0.75, 1, 1.4, 2};

    private AdvisedMain() {}

    /**
     * Arguments: name of the workload, milliseconds of advice, milliseconds per size, how often each is measured,
     * whether a plain pool is watched from outside.
     */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> follow(
                SizingWorkload.named(arguments[0]).orElseThrow(),
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Duration.ofMillis(Long.parseLong(arguments[2])),
                Integer.parseInt(arguments[3]),
                Boolean.parseBoolean(arguments[4])));
    }

    private static void follow(
            SizingWorkload workload, Duration advised, Duration perSize, int turns, boolean isOutside)
            throws InterruptedException, IOException {
        Runnable task = workload.opener().get();
        int small = Math.max(workload.smallest(), workload.largest() / FEW);
        Set<Integer> sizes = new TreeSet<>(Set.of(small, workload.largest()));
        for (int from : List.copyOf(sizes)) {
            Advisor.Said advice = advice(task, from, advised, isOutside);
            int said = advice.size();
            if (said > 0) {
                sizes.add(advice.first());
                for (double factor : AROUND) {
                    sizes.add(Math.max(1, Math.min(workload.largest(), (int) Math.round(factor * said))));
                }
                sizes.add(said);
            }
        }
        try (SizedPool pool = new SizedPool(task, turns)) {
            for (int turn = 0; turn < turns; turn++) {
                List<Integer> ordered = new ArrayList<>(sizes);
                if (turn % 2 == 1) {
                    Collections.reverse(ordered);
                }
                for (int size : ordered) {
                    AdvisedResult.printComparison(
                            size, pool.measure(size, perSize).throughput());
                }
            }
        }
        AdvisedResult.printDone();
    }

    /** Runs a saturated pool of this size, prints what is said, and returns what was said last. */
    private static Advisor.Said advice(Runnable task, int from, Duration length, boolean isOutside)
            throws InterruptedException, IOException {
        String name = "advised-" + from;
        Advisor advisor = new Advisor(name, from);
        if (isOutside) {
            ThreadPoolExecutor pool = plain(name, from);
            Thread feeder = SizedPool.feeder(pool, task);
            advisor.askFromOutside(length);
            end(pool, feeder);
        } else {
            try (PoolMonitor monitor = PoolMonitor.builder().build()) {
                InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named(name)
                        .size(from)
                        .queueCapacity(QUEUE)
                        .build();
                Thread feeder = SizedPool.feeder(pool, task);
                advisor.ask(monitor, length);
                end(pool, feeder);
            }
        }
        System.out.println("from " + from + ": " + advisor.last().text());
        return advisor.last();
    }

    /** A pool of the JDK whose submitters wait for room, as those of the other one do. */
    private static ThreadPoolExecutor plain(String name, int size) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                body -> new Thread(body, name + "-" + number.incrementAndGet()),
                BlockingWaitPolicy.forever());
    }

    private static void end(ThreadPoolExecutor pool, Thread feeder) throws InterruptedException {
        pool.shutdown();
        pool.getQueue().clear();
        pool.purge();
        feeder.join();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("a task does not end");
        }
    }
}
