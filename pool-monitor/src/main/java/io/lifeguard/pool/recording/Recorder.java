package io.lifeguard.pool.recording;

import io.lifeguard.pool.measure.EventTap;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Collects the observations of one monitor, and passes them to the black box and to flight recordings. Thread-safe.
 *
 * <p>Of all recorders of a JVM, the newest one receives the events of tasks and submitters, and writes flight
 * recordings. The others only keep what their monitor tells them.
 */
/*
 * Workers and submitters write to a flight recording themselves, which does not block, so that its events have their
 * threads and lengths. For the black box they only leave the observation in a queue that has no lock. The monitor's
 * thread empties the queue at each of its looks, and readers do. A counter keeps the queue from growing beyond
 * MOST_WAITING when that thread gets no CPU.
 */
public final class Recorder implements EventTap.Receiver {

    /** Tasks that ran for at least 20 ms are kept: 50 a second of each worker at most. */
    static final long LONG_TASK_NANOS = 20_000_000;

    /** The note of an event without length. */
    private static final Object NO_BEGINNING = new Object();

    private static final int MOST_WAITING = 4_096;

    /**
     * Ten seconds: the black box loads fifty classes, which compete with a young application and with the first
     * finding. What there is to keep waits meanwhile, unless it is more than {@value #MOST_HELD}, or somebody reads it.
     */
    private static final long HELD_NANOS = 10_000_000_000L;

    private static final int MOST_HELD = 1_024;

    /** The clocks are compared anew when they differ by more than 50 ms: the wall clock was set. */
    private static final long TOLERANCE_NANOS = 50_000_000;

    private final LiveSink live;
    private final long begun = System.nanoTime();
    private @Nullable BlackBox box; // guarded by this; null until it is needed
    private final Queue<Observation> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger(); // written by all threads; bounds the queue
    private final LongAdder dropped =
            new LongAdder(); // written by workers and submitters; a stale read misses the latest

    // Events that an Error has cost: an adder may need memory itself. Written by workers and submitters; a stale read
    // misses the latest.
    private final AtomicLong lost = new AtomicLong();

    // Written by the monitor's thread. A stale read means the former clock, or one event more or less.
    private volatile long epochOffset; // nanoseconds since 1970 less System.nanoTime()
    private volatile boolean isSynchronised;
    private volatile boolean isLive;
    private volatile boolean isOpen;

    public Recorder(LiveSink live) {
        this.live = live;
        // Loads the classes that workers and submitters need: they may end after the class loader was closed.
        Objects.requireNonNull(List.of(TaskRun.class, SubmitWait.class, CallerRun.class, Rejection.class));
    }

    // ---- the monitor's thread ----

    /**
     * Begins to receive the events of tasks and submitters, in place of an older recorder. A recorder that is replaced
     * receives them again when the newer one is closed.
     */
    public void open() {
        if (!isOpen) {
            isOpen = true;
            EventTap.take(this);
        }
    }

    /** Begins to receive the same events, unless another recorder does. It receives them once the other is closed. */
    public void openUnlessTaken() {
        isOpen = true;
        EventTap.open(this);
    }

    /**
     * Begins a window: looks whether a flight recording runs, and whether the clocks still agree.
     *
     * @param nanoTime now, by {@link System#nanoTime()}
     * @param now the same by the wall clock
     * @return whether a flight recording has begun since the last window, also beside others
     */
    public boolean advance(long nanoTime, Instant now) {
        synchronise(nanoTime, now);
        boolean isReceiver = isOpen && EventTap.open(this);
        boolean wasLive = isLive;
        isLive = isReceiver && live.isRecording();
        long threshold = isLive ? Math.min(LONG_TASK_NANOS, live.taskThresholdNanos()) : LONG_TASK_NANOS;
        EventTap.set(this, threshold, isLive);
        collect();
        return isLive && (!wasLive || live.hasNewRecording());
    }

    /** Compares the clocks, as {@link #advance} does: before the first event is received. */
    public void synchronise(long nanoTime, Instant now) {
        long offset = Observation.nanos(now) - nanoTime;
        if (!isSynchronised || Math.abs(offset - epochOffset) > TOLERANCE_NANOS) {
            epochOffset = offset;
            isSynchronised = true;
        }
    }

    /** Moves what waits to the black box, unless it may wait longer. */
    public void collect() {
        if (!isHeld()) {
            box();
        }
    }

    /** {@return whether what waits may wait longer, so that there is no black box yet} Any thread. */
    synchronized boolean isHeld() {
        return box == null && waitingCount.get() < MOST_HELD && System.nanoTime() - begun < HELD_NANOS;
    }

    /** {@return the black box, with all that waited} Any thread. */
    private synchronized BlackBox box() {
        BlackBox made = box == null ? new BlackBox() : box;
        box = made;
        for (Observation next = waiting.poll(); next != null; next = waiting.poll()) {
            waitingCount.decrementAndGet();
            made.add(next);
        }
        return made;
    }

    /** Keeps an observation, and writes it to flight recordings. The monitor's thread only. */
    public void record(Observation observation) {
        recordLive(observation);
        if (isHeld()) {
            leave(observation);
        } else {
            box().add(observation);
        }
    }

    /** Writes it to flight recordings only. The monitor's thread only. */
    public void recordLive(Observation observation) {
        if (isLive) {
            live.write(observation, null, Math.max(0, now() - observation.endNanos()));
        }
    }

    public void close() {
        isOpen = false;
        EventTap.close(this);
        isLive = false;
    }

    // ---- any thread ----

    /** {@return a moment in nanoseconds since 1970} */
    public long epochNanos(long nanoTime) {
        return nanoTime + epochOffset;
    }

    /** {@return how many observations were left out of the black box, for want of room, since the start} */
    public synchronized long dropped() {
        return dropped.sum() + lost.get() + (box == null ? 0 : box.dropped());
    }

    public void writeTo(OutputStream out) throws IOException {
        box().writeTo(out, epochNanos(System.nanoTime()));
    }

    /** {@return the observations of the last minute, in the order in which they were noticed, in a new list} */
    public List<Observation> observations() {
        return box().observations(Long.MIN_VALUE);
    }

    /**
     * {@return those of {@link #observations()} that had not ended before a moment, in a new list}
     *
     * @param fromNanos the moment, in nanoseconds since 1970
     */
    public List<Observation> observations(long fromNanos) {
        return box().observations(fromNanos);
    }

    /**
     * {@return when the oldest of {@link #observations()} ended, in nanoseconds since 1970; empty when there is none}
     */
    public OptionalLong oldestNanos() {
        return box().oldestNanos();
    }

    // ---- workers and submitters ----

    @Override
    public @Nullable Object begins(EventTap.Beginning what, @Nullable Object spare) {
        try {
            return live.begins(
                    switch (what) {
                        case TASK -> EventType.TASK;
                        case SUBMIT_WAIT -> EventType.SUBMIT_WAIT;
                        case CALLER_RUN -> EventType.CALLER_RUN;
                    },
                    spare);
        } catch (Error ignored) { // no memory, no stack, or a closed class loader: the task goes on without an event
            return null;
        }
    }

    @Override
    public void taskEnded(
            String pool,
            String kind,
            long startNanos,
            long serviceNanos,
            long waitNanos,
            long cpuNanos,
            boolean failed,
            @Nullable Object note) {
        try {
            pass(
                    serviceNanos >= LONG_TASK_NANOS,
                    note,
                    new TaskRun(
                            epochNanos(startNanos),
                            serviceNanos,
                            pool,
                            thread(),
                            kind,
                            known(waitNanos),
                            known(cpuNanos),
                            failed));
        } catch (Error ignored) { // no memory, no stack, or a closed class loader: the task goes on without an event
            lost.incrementAndGet();
        }
    }

    @Override
    public void submitterWaited(String pool, long nanos, boolean accepted, @Nullable Object note) {
        try {
            pass(true, note, new SubmitWait(now() - nanos, nanos, pool, thread(), accepted));
        } catch (Error ignored) { // as above
            lost.incrementAndGet();
        }
    }

    @Override
    public void callerRan(String pool, long nanos, double idleWorkers, @Nullable Object note) {
        try {
            pass(true, note, new CallerRun(now() - nanos, nanos, pool, thread(), idleWorkers));
        } catch (Error ignored) { // as above
            lost.incrementAndGet();
        }
    }

    @Override
    public void rejected(String pool, String reason) {
        try {
            pass(true, NO_BEGINNING, new Rejection(now(), pool, thread(), reason));
        } catch (Error ignored) { // as above
            lost.incrementAndGet();
        }
    }

    /** What began before the flight recording has no length there, so it is left out of it. */
    private void pass(boolean toBox, @Nullable Object note, Observation observation) {
        if (toBox) {
            leave(observation);
        }
        if (isLive && note != null) {
            live.write(observation, note == NO_BEGINNING ? null : note, 0);
        }
    }

    private void leave(Observation observation) {
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            dropped.increment();
            return;
        }
        boolean added = false;
        try {
            added = waiting.add(observation);
        } finally {
            if (!added) { // an Error: its place must not stay taken
                waitingCount.decrementAndGet();
            }
        }
    }

    private long now() {
        return epochNanos(System.nanoTime());
    }

    private static String thread() {
        return Thread.currentThread().getName();
    }

    private static OptionalLong known(long nanos) {
        return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    }
}
