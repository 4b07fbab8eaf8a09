package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the chains that two small pools with full queues run, when each stage of a chain goes to the other pool.
 * Compares Lifeguard's pools, whose submitters wait, with plain pools whose submitters run what does not fit. Both take
 * turns in one JVM, in a new random order for every round.
 *
 * <p>Each turn has new pools: {@code io} with four workers and {@code cpu} with two. Their queues have 16 places. The
 * stages of a chain are {@code io}, {@code cpu}, {@code io}, so that the workers of each pool submit to the other one.
 * A stage is empty, or computes for 25 µs.
 *
 * <p>Arguments: rounds and seconds per turn, 5 and 4 by default. Prints medians with quartiles. Fails when a chain that
 * was begun does not end.
 */
public final class Chains {

    private static final int IO_WORKERS = 4;
    private static final int CPU_WORKERS = 2;
    private static final int QUEUE_CAPACITY = 16;
    private static final int[] SUBMITTERS = {1, 16};
    private static final int[] TASK_MICROS = {0, 25};
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int rounds;
    private final Duration turn;
    private final Random random = new Random(1);

    private Chains(int rounds, Duration turn) {
        this.rounds = rounds;
        this.turn = turn;
    }

    /** Makes one of the two pools. */
    private enum Maker {
        LIFEGUARD,
        CALLER_RUNS;

        ThreadPoolExecutor make(String name, int workers) {
            return this == LIFEGUARD
                    ? InstrumentedThreadPoolExecutor.named(name)
                            .size(workers)
                            .queueCapacity(QUEUE_CAPACITY)
                            .build()
                    : new ThreadPoolExecutor(
                            workers,
                            workers,
                            0,
                            TimeUnit.SECONDS,
                            new ArrayBlockingQueue<>(QUEUE_CAPACITY),
                            new ThreadPoolExecutor.CallerRunsPolicy());
        }
    }

    /** Measures, and prints the result. */
    public static void main(String[] arguments) throws InterruptedException {
        new Chains(argument(arguments, 0, 5), Duration.ofSeconds(argument(arguments, 1, 4))).run();
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private void run() throws InterruptedException {
        double stepsPerMicro = Spin.calibrate();
        for (int micros : TASK_MICROS) {
            int steps = (int) Math.round(micros * stepsPerMicro);
            for (int submitters : SUBMITTERS) {
                compare("tasks of %d µs, %d submitters".formatted(micros, submitters), submitters, steps);
            }
        }
    }

    private void compare(String what, int submitters, int steps) throws InterruptedException {
        List<List<Long>> ended = List.of(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < rounds; round++) {
            List<Maker> order = new ArrayList<>(List.of(Maker.values()));
            Collections.shuffle(order, random);
            for (Maker maker : order) {
                ended.get(maker.ordinal()).add(turn(maker, submitters, steps));
            }
        }
        for (Maker maker : Maker.values()) {
            print(what, maker, ended.get(maker.ordinal()));
        }
    }

    /** {@return how many chains ended within the turn} */
    private long turn(Maker maker, int submitters, int steps) throws InterruptedException {
        ThreadPoolExecutor io = maker.make("io", IO_WORKERS);
        ThreadPoolExecutor cpu = maker.make("cpu", CPU_WORKERS);
        try {
            return turn(List.of(io, cpu, io), submitters, steps);
        } finally {
            io.shutdownNow();
            cpu.shutdownNow();
        }
    }

    private long turn(List<? extends Executor> stages, int submitters, int steps) throws InterruptedException {
        AtomicLong begun = new AtomicLong();
        AtomicLong ended = new AtomicLong();
        long end = System.nanoTime() + turn.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < submitters; i++) {
            Thread thread = new Thread(() -> submit(stages, steps, end, begun, ended), "submitter");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
        long inTime = ended.get();
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
        long limit = System.nanoTime() + PATIENCE.toNanos();
        while (ended.get() < begun.get()) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException(
                        "%d chains began and %d ended: %s".formatted(begun.get(), ended.get(), stages));
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return inTime;
    }

    private static void submit(
            List<? extends Executor> stages, int steps, long end, AtomicLong begun, AtomicLong ended) {
        while (System.nanoTime() < end) {
            begun.incrementAndGet();
            CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
            for (Executor stage : stages) {
                chain = chain.thenRunAsync(() -> Spin.spin(steps), stage);
            }
            CompletableFuture<Void> unused = chain.thenRun(ended::incrementAndGet);
        }
    }

    private static void print(String what, Maker maker, List<Long> ended) {
        long[] sorted = ended.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%s, %s: %,d chains (quartiles %,d to %,d)%n",
                what,
                maker.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                sorted[sorted.length / 2],
                sorted[sorted.length / 4],
                sorted[3 * sorted.length / 4]);
    }
}
