package io.lifeguard.pool.benchmarks.primitives;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the steps of measuring a task cost one by one, on one thread, undisturbed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PrimitivesBenchmark {
    private static final int CAPACITY = 1_024;
    private static final Object TASK = new Object();

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final LongAdder adder = new LongAdder();
    private final BlockingQueue<Object> linked = new LinkedBlockingQueue<>(CAPACITY);
    private final BlockingQueue<Object> array = new ArrayBlockingQueue<>(CAPACITY);

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
    public Object linkedBlockingQueueOfferAndPoll() {
        linked.offer(TASK);
        return linked.poll();
    }

    @Benchmark
    public Object arrayBlockingQueueOfferAndPoll() {
        array.offer(TASK);
        return array.poll();
    }
}
