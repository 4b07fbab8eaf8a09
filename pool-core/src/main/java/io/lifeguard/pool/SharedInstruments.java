package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.PoolReading;
import io.lifeguard.pool.measure.SharedRecorder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The instruments of an executor that has no workers of its own which one could follow: each task carries its own measurement.
 * Thread-safe.
 */
final class SharedInstruments {

    private final InstrumentedPool pool;
    private final ExecutorService executor; // the pool, seen as what its users see
    private final String name;
    private final SharedRecorder recorder = new SharedRecorder();
    private final UnseenFailures failures = new UnseenFailures();
    private final LongAdder submitted = new LongAdder();
    private final LongAdder begun = new LongAdder();
    private final LongAdder refusedAtTheEnd = new LongAdder(); // after shutdown
    private final LongAdder refusedOtherwise = new LongAdder(); // a thread factory returned null, for instance
    private final AtomicBoolean ended = new AtomicBoolean();

    <P extends ExecutorService & InstrumentedPool> SharedInstruments(P pool, @Nullable String givenName) {
        this.pool = pool;
        this.executor = pool;
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

    /** The task, measuring itself from now on, and counted as submitted when it begins. */
    <V> Callable<V> countedFromItsBegin(Callable<V> task) {
        Callable<V> measured = measured(task);
        return () -> {
            submitted.increment();
            return measured.call();
        };
    }

    /** Gives a measured task to the executor, and counts whether it was accepted. */
    <T> T submit(Supplier<T> submission) {
        T result;
        try {
            result = submission.get();
        } catch (RejectedExecutionException refused) {
            (executor.isShutdown() ? refusedAtTheEnd : refusedOtherwise).increment();
            throw refused;
        }
        submitted.increment();
        return result;
    }

    /** To be called after the executor was told to shut down: its end is announced, even if nobody ever asks for it. */
    void shutDown() {
        if (!executor.isTerminated()) {
            TerminationWatch.watch(executor);
        }
    }

    /** To be called by whoever sees that the executor has terminated. */
    void terminated() {
        if (ended.compareAndSet(false, true)) {
            Pools.announceTerminated(pool, name);
        }
    }

    PoolSnapshot snapshot(PoolSnapshot.Limits limits, IntSupplier size, IntSupplier queued) {
        PoolReading reading = recorder.read();
        long completed = reading.completed();
        long running = Math.max(0, begun.sum() - completed);
        long accepted = Math.max(submitted.sum(), completed + running);
        int active = (int) Math.min(Integer.MAX_VALUE, running);
        PoolSnapshot.Saturation refusals = refusals();
        long cpuNanos = Math.round(reading.cpu().meanNanos() * completed); // only sampled tasks are in the reading
        return PoolSnapshot.builder(name)
                .measured(reading, Accuracy.EXACT, cpuNanos)
                .load(new PoolSnapshot.Load(
                        Math.max(active, size.getAsInt()), active, queued.getAsInt(), Duration.ZERO))
                .limits(limits)
                .counts(new PoolSnapshot.Counts(
                        accepted,
                        completed,
                        reading.failed(),
                        refusals.rejected(),
                        reading.callerRun().count(),
                        0))
                .saturation(refusals)
                .unseenFailures(failures.read())
                .build();
    }

    private PoolSnapshot.Saturation refusals() {
        Map<RejectionReason, Long> rejections = new EnumMap<>(RejectionReason.class);
        rejections.put(RejectionReason.SHUT_DOWN, refusedAtTheEnd.sum());
        rejections.put(RejectionReason.ABORTED, refusedOtherwise.sum());
        rejections.values().removeIf(count -> count == 0);
        return new PoolSnapshot.Saturation(0, 0, Duration.ZERO, rejections, List.of(), List.of());
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
