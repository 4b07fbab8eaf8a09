package io.lifeguard.pool;

import io.lifeguard.pool.Distribution.Accuracy;
import io.lifeguard.pool.measure.Counter;
import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.measure.PoolReading;
import io.lifeguard.pool.measure.SharedRecorder;
import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.text.PoolNames;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures an executor whose workers cannot be followed, such as a work-stealing pool: each task is wrapped and
 * measures itself. Thread-safe.
 */
final class SharedInstruments {

    final String name;
    final UnseenFailures failures = new UnseenFailures();
    private final InstrumentedPool pool;
    private final ExecutorService executor; // the same object as pool
    private final boolean isPerTask; // a task runs as soon as its thread gets a CPU, so those that run need no count
    private final SharedRecorder recorder = new SharedRecorder();

    // written by submitters and workers; a stale read misses the latest
    private final Counter submitted = new Counter();
    private final Counter begun = new Counter(); // unless each task has a thread of its own
    private final LongAdder refusedAfterShutdown = new LongAdder();
    private final LongAdder refusedOtherwise = new LongAdder(); // for instance because a thread factory returned null

    // written by the first thread that sees the termination, by CAS, so no read is stale
    private final AtomicBoolean isAnnounced = new AtomicBoolean();
    private final AtomicBoolean isChecked = new AtomicBoolean(); // for its end; set by the first shutdown, by CAS

    <P extends ExecutorService & InstrumentedPool> SharedInstruments(P pool, @Nullable String givenName) {
        this.pool = pool;
        this.executor = pool;
        this.isPerTask = pool instanceof ThreadPerTaskPool;
        this.name = PoolRegistry.register(pool, givenName == null ? PoolNames.ofCreator() : givenName);
    }

    /** Wraps a task so that it measures itself; its queue wait begins now. */
    Runnable measured(Runnable task) {
        return new MeasuredRun(this, Objects.requireNonNull(task));
    }

    /** Wraps a task that has a thread of its own, and tells its pool when the task has ended. */
    OwnThreadRun measuredWithOwnThread(Runnable task) {
        return new OwnThreadRun(this, Objects.requireNonNull(task));
    }

    /** Wraps a task so that it measures itself; its queue wait begins now. */
    <V> Callable<V> measured(Callable<V> task) {
        return new MeasuredCall<>(this, Objects.requireNonNull(task));
    }

    /** Wraps a task so that it measures itself, and is counted as submitted when it starts. */
    <V> Callable<V> countedAtStart(Callable<V> task) {
        Callable<V> measured = measured(task);
        return () -> {
            submitted.increment();
            return measured.call();
        };
    }

    /** Wraps a task that is due later. It is counted as submitted when it starts; its queue wait is its lateness. */
    Runnable delayed(Runnable task, long delayNanos) {
        return new DelayedRun(this, Objects.requireNonNull(task), delayNanos, 0);
    }

    /** Wraps a task that is due later. It is counted as submitted when it starts; its queue wait is its lateness. */
    <V> Callable<V> delayed(Callable<V> task, long delayNanos) {
        MeasuredCall<V> measured = new MeasuredCall<>(this, Objects.requireNonNull(task));
        measured.isDueIn(delayNanos);
        return () -> {
            submitted.increment();
            return measured.call();
        };
    }

    /**
     * Wraps a task that runs again and again. Each run is counted when it starts; its queue wait is its lateness.
     *
     * @param periodNanos from start to start if positive; otherwise the negative delay from end to start
     */
    Runnable repeated(Runnable task, long delayNanos, long periodNanos) {
        return new DelayedRun(this, Objects.requireNonNull(task), delayNanos, periodNanos);
    }

    /** Submits a wrapped task, and counts whether the executor accepted it. */
    <T> T submit(Supplier<T> submission) {
        T result = submitUncounted(submission);
        submitted.increment();
        return result;
    }

    void accepted() {
        submitted.increment();
    }

    /** Counts a refusal, and returns what to throw. */
    RejectedExecutionException refused(String why) {
        (executor.isShutdown() ? refusedAfterShutdown : refusedOtherwise).increment();
        return new RejectedExecutionException(why);
    }

    /** Submits a wrapped task that is counted when it starts. Counts a refusal. */
    <T> T submitUncounted(Supplier<T> submission) {
        try {
            return submission.get();
        } catch (RejectedExecutionException e) {
            (executor.isShutdown() ? refusedAfterShutdown : refusedOtherwise).increment();
            throw e;
        }
    }

    /**
     * Call it after each shutdown of the executor. The termination is then announced without a call of isTerminated.
     */
    void shutDown() {
        if (!executor.isTerminated() && isChecked.compareAndSet(false, true)) {
            new TerminationCheck(executor).schedule();
        }
    }

    /** Call it when the executor has terminated. Announces the termination once, and returns true. */
    boolean terminated() {
        PoolRegistry.unregister(pool, name); // also while another thread announces
        if (isAnnounced.compareAndSet(false, true)) {
            PoolRegistry.announceTerminated(pool, name);
        }
        return true;
    }

    PoolSnapshot snapshot(PoolSnapshot.Limits limits, IntSupplier size, IntSupplier queued) {
        PoolReading reading = recorder.read();
        long completed = reading.completed();
        long running = Math.max(0, (isPerTask ? submitted : begun).sum() - completed);
        long accepted = Math.max(submitted.sum(), completed + running);
        int active = (int) Math.min(Integer.MAX_VALUE, running);
        PoolSnapshot.Saturation refusals = refusals();
        double cpuMean = reading.cpu().meanNanos(); // only sampled tasks are in the reading
        long cpuNanos = Double.isNaN(cpuMean) ? Long.MAX_VALUE : Math.round(cpuMean * completed);
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

    private void begins() {
        if (!isPerTask) {
            begun.increment();
        }
    }

    /** {@return how many tasks were accepted} May lag. */
    long submitted() {
        return submitted.sum();
    }

    /** {@return how many accepted tasks have not ended} Cheap, and may lag. */
    int running() {
        long ended = recorder.ended(); // first, so that none has ended that was not accepted
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, submitted.sum() - ended));
    }

    private PoolSnapshot.Saturation refusals() {
        Map<RejectionReason, Long> rejections = new EnumMap<>(RejectionReason.class);
        rejections.put(RejectionReason.SHUT_DOWN, refusedAfterShutdown.sum());
        rejections.put(RejectionReason.ABORTED, refusedOtherwise.sum());
        rejections.values().removeIf(count -> count == 0);
        return new PoolSnapshot.Saturation(0, 0, Duration.ZERO, rejections, List.of(), List.of(), List.of());
    }

    /**
     * The measurement of one task, from its submission to its end. Written by the submitter, then by the threads that
     * run the task, one after the other. Each field counts, because a measurement is allocated for each task: 40 bytes.
     */
    private abstract static class Measurement<T> {
        final SharedInstruments instruments;
        final T task;
        private long enqueuedNanos = System.nanoTime(); // or when the task is due
        private long startNanos; // a reader of another thread may see 0 for a while
        private @Nullable Object note; // of the recorder of events, about the beginning

        Measurement(SharedInstruments instruments, T task) {
            this.instruments = instruments;
            this.task = task;
        }

        final void isDueIn(long delayNanos) {
            enqueuedNanos = System.nanoTime() + Math.max(0, delayNanos);
        }

        final long started() {
            return startNanos;
        }

        /** The run has ended and another one will follow. */
        final void isDueAgain(long periodNanos) {
            enqueuedNanos = periodNanos > 0 ? enqueuedNanos + periodNanos : System.nanoTime() - periodNanos;
        }

        /** {@return what to pass to {@link #end}} */
        final long begin() {
            instruments.begins();
            note = EventTap.begins(EventTap.Beginning.TASK, null);
            startNanos = System.nanoTime();
            return instruments.recorder.cpuBegin();
        }

        /** Does not throw: the task has run. */
        final void end(long cpuStart, boolean failed) {
            try {
                record(cpuStart, failed);
            } catch (Error ignored) { // it is not measured
                return;
            }
        }

        private void record(long cpuStart, boolean failed) {
            SharedRecorder recorder = instruments.recorder;
            long cpu = recorder.cpuEnd(cpuStart);
            long now = System.nanoTime();
            long enqueued = Math.min(enqueuedNanos, startNanos);
            Object kind = Tasks.kindOf(task);
            recorder.record(enqueued, startNanos, now, cpu, kind, failed);
            if (now - startNanos >= EventTap.taskThresholdNanos()) {
                passOn(enqueued, now, cpu, kind, failed);
            }
        }

        private void passOn(long enqueued, long now, long cpu, Object kind, boolean failed) {
            EventTap.Receiver receiver = EventTap.receiver();
            if (receiver != null) {
                receiver.taskEnded(
                        instruments.name,
                        instruments.recorder.nameOf(kind),
                        startNanos,
                        now - startNanos,
                        startNanos - enqueued,
                        cpu,
                        failed,
                        note);
            }
        }

        @Override
        public final String toString() {
            return task.toString();
        }
    }

    private static class MeasuredRun extends Measurement<Runnable> implements Runnable {
        MeasuredRun(SharedInstruments instruments, Runnable task) {
            super(instruments, task);
        }

        @Override
        public void run() {
            boolean failed = true;
            long cpuStart = begin();
            try {
                task.run();
                failed = task instanceof MeasuredFutureTask<?> future && future.hasFailed();
            } finally {
                end(cpuStart, failed);
            }
        }
    }

    /** A task that has a thread of its own. */
    static final class OwnThreadRun extends MeasuredRun {
        private @Nullable Thread thread; // set before the task is published

        OwnThreadRun(SharedInstruments instruments, Runnable task) {
            super(instruments, task);
        }

        void runsOn(Thread own) {
            thread = own;
        }

        Thread thread() {
            return Objects.requireNonNull(thread);
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                ((ThreadPerTaskPool) instruments.pool).remove(this);
            }
        }
    }

    /** A task that is due later, once or repeatedly. */
    private static final class DelayedRun extends MeasuredRun {
        private final long periodNanos; // 0: once

        DelayedRun(SharedInstruments instruments, Runnable task, long delayNanos, long periodNanos) {
            super(instruments, task);
            this.periodNanos = periodNanos;
            isDueIn(delayNanos);
        }

        @Override
        public void run() {
            instruments.submitted.increment();
            super.run();
            if (periodNanos != 0) {
                isDueAgain(periodNanos);
            }
        }
    }

    private static final class MeasuredCall<V> extends Measurement<Callable<V>> implements Callable<V> {
        MeasuredCall(SharedInstruments instruments, Callable<V> task) {
            super(instruments, task);
        }

        @Override
        public V call() throws Exception {
            boolean failed = true;
            long cpuStart = begin();
            try {
                V result = task.call();
                failed = false;
                return result;
            } finally {
                end(cpuStart, failed);
            }
        }
    }

    /**
     * Checks from time to time whether an executor that was shut down has terminated: after 10 ms, then at growing
     * intervals of up to a second. Holds the executor weakly. Confined to one daemon thread for all executors, which
     * ends after five idle seconds.
     */
    private static final class TerminationCheck implements Runnable {

        private static final long FIRST_MILLIS = 10;
        private static final long LONGEST_MILLIS = 1_000;
        private static final ScheduledThreadPoolExecutor TIMER = timer();

        private final WeakReference<ExecutorService> executor;
        private long delayMillis = FIRST_MILLIS;

        TerminationCheck(ExecutorService executor) {
            this.executor = new WeakReference<>(executor);
        }

        /** Needs only to call {@code isTerminated}, which announces the termination. */
        @Override
        public void run() {
            ExecutorService checked = executor.get();
            if (checked != null && !checked.isTerminated()) {
                delayMillis = Math.min(2 * delayMillis, LONGEST_MILLIS);
                schedule();
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // run() cannot fail, and no thread waits for it
        void schedule() {
            try {
                TIMER.schedule(this, delayMillis, TimeUnit.MILLISECONDS);
            } catch (OutOfMemoryError ignored) {
                // no thread can be made for the timer; the next call of isTerminated announces the termination instead
            }
        }

        private static ScheduledThreadPoolExecutor timer() {
            ScheduledThreadPoolExecutor timer =
                    new ScheduledThreadPoolExecutor(1, body -> LibraryThread.daemon("lifeguard-watch", body));
            timer.setKeepAliveTime(5, TimeUnit.SECONDS);
            timer.allowCoreThreadTimeOut(true);
            return timer;
        }
    }
}
