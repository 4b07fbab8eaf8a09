package io.lifeguard.examples.readme;

import io.lifeguard.examples.readme.Lane.Span;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.TimeUnit;

/**
 * Submits tasks to a pool from the calling thread, and records when each thread ran a task or waited. Used once; the
 * calling thread is the dispatcher.
 */
final class LaneRun {

    static final int WORKERS = 16;
    private static final int QUEUE = 8;

    /** A shorter call of execute is a submission without waiting. */
    private static final double SHORTEST_WAIT_SECONDS = 0.000_5;

    private final Map<Thread, ConcurrentLinkedQueue<Span>> running = new ConcurrentHashMap<>();
    private final List<Span> submissions = new ArrayList<>(); // confined to the dispatcher
    private final Thread dispatcher = Thread.currentThread();
    private final long start = System.nanoTime();

    private LaneRun() {}

    /**
     * Submits the task for the given number of seconds, and returns the dispatcher's lane before those of the workers.
     */
    static List<Lane> record(RejectedExecutionHandler whenSaturated, double seconds, Runnable task)
            throws InterruptedException {
        LaneRun run = new LaneRun();
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(WORKERS)
                .queueCapacity(QUEUE)
                .whenSaturated(whenSaturated)
                .build();
        try {
            run.dispatch(pool, seconds, task);
        } finally {
            pool.shutdown();
        }
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the tasks did not end within a minute");
        }
        return run.lanes();
    }

    private void dispatch(InstrumentedThreadPoolExecutor pool, double seconds, Runnable task) {
        for (double begin = now(); begin < seconds; begin = now()) {
            pool.execute(() -> run(task));
            submissions.add(new Span(begin, now()));
        }
    }

    private void run(Runnable task) {
        double begin = now();
        task.run();
        running.computeIfAbsent(Thread.currentThread(), thread -> new ConcurrentLinkedQueue<>())
                .add(new Span(begin, now()));
    }

    private double now() {
        return (System.nanoTime() - start) / 1e9;
    }

    private List<Lane> lanes() {
        List<Span> ownRuns = List.copyOf(running.getOrDefault(dispatcher, new ConcurrentLinkedQueue<>()));
        List<Lane> lanes = new ArrayList<>();
        lanes.add(new Lane(dispatcher.getName(), ownRuns, waits(ownRuns)));
        running.keySet().stream()
                .filter(thread -> thread != dispatcher)
                .sorted(Comparator.comparing(Thread::getName))
                .map(thread -> new Lane(thread.getName(), List.copyOf(running.get(thread)), List.of()))
                .forEach(lanes::add);
        return lanes;
    }

    /** The submissions that took long although the dispatcher ran no task in them. */
    private List<Span> waits(List<Span> ownRuns) {
        return submissions.stream()
                .filter(span -> span.length() >= SHORTEST_WAIT_SECONDS)
                .filter(span ->
                        ownRuns.stream().noneMatch(own -> own.start() >= span.start() && own.end() <= span.end()))
                .toList();
    }
}
