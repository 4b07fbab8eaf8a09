package io.lifeguard.pool.benchmarks.primitives;

import io.lifeguard.pool.measure.Histogram;
import io.lifeguard.pool.queue.WorkQueue;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of each single step of measuring a task, on one undisturbed thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PrimitivesBenchmark {
    private static final int CAPACITY = 1_024;
    private static final int DURATIONS = 4_096;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final LongAdder adder = new LongAdder();
    private final BlockingQueue<Runnable> linked = new LinkedBlockingQueue<>(CAPACITY);
    private final BlockingQueue<Runnable> array = new ArrayBlockingQueue<>(CAPACITY);
    private final BlockingQueue<Runnable> ring = WorkQueue.bounded(CAPACITY);
    private final BlockingQueue<Runnable> segments = WorkQueue.unbounded();
    private final Histogram histogram = new Histogram();
    private final long[] durations =
            new SplittableRandom(1).longs(DURATIONS, 100, 1_000_000).toArray();

    @SuppressWarnings("UnnecessaryLambda") // always the same object
    private final Runnable task = () -> {};

    private int next;

    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    @Benchmark
    public long threadCpuClock() {
        return threads.getCurrentThreadCpuTime();
    }

    @Benchmark
    public void longAdderIncrement() {
        adder.increment();
    }

    @Benchmark
    public @Nullable Runnable linkedBlockingQueueOfferAndPoll() {
        return offerAndPoll(linked);
    }

    @Benchmark
    public @Nullable Runnable arrayBlockingQueueOfferAndPoll() {
        return offerAndPoll(array);
    }

    @Benchmark
    public @Nullable Runnable workQueueBoundedOfferAndPoll() {
        return offerAndPoll(ring);
    }

    @Benchmark
    public @Nullable Runnable workQueueUnboundedOfferAndPoll() {
        return offerAndPoll(segments);
    }

    @Benchmark
    public void histogramRecord() {
        histogram.record(durations[next++ & DURATIONS - 1]);
    }

    private @Nullable Runnable offerAndPoll(BlockingQueue<Runnable> queue) {
        queue.offer(task);
        return queue.poll();
    }
}
