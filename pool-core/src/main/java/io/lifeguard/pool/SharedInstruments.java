package io.lifeguard.pool;

import io.lifeguard.pool.measure.PoolReading;
import io.lifeguard.pool.measure.SharedRecorder;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * The instruments of an executor that has no workers of its own which one could follow: each task carries its own measurement.
 * Thread-safe.
 */
final class SharedInstruments {

    private final InstrumentedPool pool;
    private final ExecutorService executor;
    private final String name;
    private final SharedRecorder recorder = new SharedRecorder();
    private final UnseenFailures failures = new UnseenFailures();
    private final LongAdder submitted = new LongAdder();
    private final LongAdder begun = new LongAdder();
    private final AtomicBoolean ended = new AtomicBoolean();

    <P extends ExecutorService & InstrumentedPool> SharedInstruments(
            P pool, ExecutorService executor, @org.jspecify.annotations.Nullable String givenName) {
        this.pool = pool;
        this.executor = executor;
        this.name = Pools.register(pool, givenName == null ? PoolNames.ofCreator() : givenName);
    }

    String name() {
        return name;
    }

    UnseenFailures failures() {
        return failures;
    }

    /** The task, measuring itself from now on. */
    Runnable measured(Runnable task) {
        return new MeasuredRun(task);
    }

    /** The task, measuring itself from now on. */
    <V> Callable<V> measured(Callable<V> task) {
        return new MeasuredCall<>(task);
    }

    /** To be called when the executor has accepted a measured task. */
    void submitted() {
        submitted.increment();
    }

    void announceIfTerminated() {
        if (executor.isTerminated() && ended.compareAndSet(false, true)) {
            Pools.announceTerminated(pool, name);
        }
    }

    PoolSnapshot snapshot(PoolSnapshot.Limits limits, IntSupplier size, IntSupplier queued) {
        PoolReading reading = recorder.read();
        long completed = reading.completed();
        long running = Math.max(0, begun.sum() - completed);
        long accepted = Math.max(submitted.sum(), completed + running);
        int active = (int) Math.min(Integer.MAX_VALUE, running);
        return new SnapshotBuilder(name, reading)
                .size(Math.max(active, size.getAsInt()), active, limits)
                .tasks(queued.getAsInt(), Duration.ZERO, accepted, completed)
                .cpuTotalIsSampled()
                .failures(failures.read())
                .build(0);
    }

    /** One task's measurement, from its submission to its end. */
    private abstract class Measurement {
        private final Object task;
        private final long enqueuedNanos = System.nanoTime();
        private long startNanos;
        private long cpuStart;

        Measurement(Object task) {
            this.task = task;
        }

        final void begin() {
            begun.increment();
            startNanos = System.nanoTime();
            cpuStart = recorder.cpuBegin();
        }

        final void end(boolean failed) {
            long cpu = recorder.cpuEnd(cpuStart);
            recorder.record(enqueuedNanos, startNanos, System.nanoTime(), cpu, Tasks.kindOf(task), failed);
        }

        @Override
        public final String toString() {
            return task.toString();
        }
    }

    private final class MeasuredRun extends Measurement implements Runnable {
        private final Runnable run;

        MeasuredRun(Runnable run) {
            super(run);
            this.run = run;
        }

        @Override
        public void run() {
            boolean failed = true;
            begin();
            try {
                run.run();
                failed = run instanceof MeasuredFutureTask<?> future && future.hasFailed();
            } finally {
                end(failed);
            }
        }
    }

    private final class MeasuredCall<V> extends Measurement implements Callable<V> {
        private final Callable<V> call;

        MeasuredCall(Callable<V> call) {
            super(call);
            this.call = call;
        }

        @Override
        public V call() throws Exception {
            boolean failed = true;
            begin();
            try {
                V result = call.call();
                failed = false;
                return result;
            } finally {
                end(failed);
            }
        }
    }
}
