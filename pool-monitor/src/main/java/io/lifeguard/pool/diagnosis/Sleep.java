package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells from a few cheap reads whether anything happened in a pool since its latest window, in which nothing happened.
 * Of a pool that sleeps no snapshot is taken, no worker is looked at, and no rule is asked. Confined to the monitor's
 * thread.
 *
 * <p>A task that was accepted counts, whether it is queued, runs or has ended, and so does a worker that came or went.
 * A submitter waits for room, and a task is rejected, only after others were accepted, but for a thread factory that
 * refuses: that is seen with the next window. Only instrumented {@link ThreadPoolExecutor}s sleep, and executors with a
 * thread per task: what is cheap to read of others does not tell enough. An executor with a thread per task sleeps
 * while its tasks go on, too, because thousands of them may wait for hours. What they wait for is looked at elsewhere.
 */
final class Sleep {

    /** 5 s: the live page shows what a worker did for as long. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private boolean sleeps;
    private long tasks; // accepted when the latest window ended
    private int workers; // at that moment
    private long beganNanos;
    private long seenNanos; // when it was last seen asleep
    private int moments; // of the present window

    /** Reads what a later {@link #begin} compares with. Called before the snapshot, so that nothing gets lost. */
    void read(@Nullable Object executor) {
        sleeps = false;
        seenNanos = beganNanos;
        if (executor instanceof ThreadPoolExecutor jdk) {
            tasks = jdk.getTaskCount();
            workers = jdk.getPoolSize();
        }
    }

    /** Begins at the end of a window in which nothing happened. */
    void begin(@Nullable Object executor, PoolSnapshot before, PoolSnapshot after) {
        sleeps = hasThreadPerTask(executor) ? isSame(before, after) : isIdle(executor, before, after);
        if (!(executor instanceof ThreadPoolExecutor)) {
            tasks = after.counts().submitted();
            workers = (int) Math.min(Integer.MAX_VALUE, tasks - after.counts().completed());
        }
        beganNanos = after.nanoTime();
        seenNanos = beganNanos;
        moments = 0;
    }

    static boolean hasThreadPerTask(@Nullable Object executor) {
        return executor instanceof InstrumentedPool pool && pool.threadsStarted() > 0;
    }

    private static boolean isSame(PoolSnapshot before, PoolSnapshot after) {
        return countsTasks(before.counts()) == countsTasks(after.counts())
                && after.unseenFailures().isEmpty();
    }

    private boolean isIdle(@Nullable Object executor, PoolSnapshot before, PoolSnapshot after) {
        return executor instanceof ThreadPoolExecutor jdk
                && after.active() == 0
                && before.active() == 0
                && after.saturation().blockedNow() == 0
                && after.size() == workers
                && before.size() == workers
                && isSame(before, after) // a future that has failed unseen may be collected, without a task
                && hasNothingToRun(jdk.getQueue());
    }

    private static long countsTasks(PoolSnapshot.Counts counts) {
        return counts.submitted() + counts.completed() + counts.rejected() + counts.callerRuns();
    }

    boolean sleeps() {
        return sleeps;
    }

    /** Looks whether something has happened. {@return whether it still sleeps} */
    boolean lasts(@Nullable Object executor) {
        if (sleeps) {
            long nanos = System.nanoTime();
            sleeps = executor instanceof ThreadPoolExecutor jdk
                    ? jdk.getTaskCount() == tasks && jdk.getPoolSize() == workers && hasNothingToRun(jdk.getQueue())
                    : executor instanceof InstrumentedPool pool
                            && pool.threadsStarted() == tasks
                            && pool.threadCount() == workers;
            seenNanos = sleeps ? nanos : seenNanos;
        }
        return sleeps;
    }

    /** A task that is not due yet, or no task. */
    static boolean hasNothingToRun(BlockingQueue<Runnable> queue) {
        Runnable next = queue.peek();
        return next == null || (next instanceof Delayed delayed && delayed.getDelay(TimeUnit.NANOSECONDS) > 0);
    }

    /** A moment has come at which workers would be looked at. {@return how many came since the latest round} */
    int moment() {
        return ++moments;
    }

    /** {@return how many moments of the present window were slept through} */
    int moments() {
        return moments;
    }

    /** A round has been made, and it still sleeps. */
    void goesOn() {
        moments = 0;
    }

    /** {@return whether it is time for a window although nothing has happened} */
    boolean isLong() {
        return System.nanoTime() - beganNanos >= LONGEST_NANOS;
    }

    /** {@return how long it slept, in nanoseconds; 0 when it did not} */
    long nanos() {
        return seenNanos - beganNanos;
    }

    /** {@return the snapshot that would have been taken when it was last seen asleep} */
    PoolSnapshot end(PoolSnapshot begin) {
        PoolSnapshot.Times times = begin.times();
        return begin.toBuilder()
                .nanoTime(begin.nanoTime() + nanos())
                .times(new PoolSnapshot.Times(
                        times.queueWait(),
                        times.serviceTime(),
                        times.cpuTime(),
                        times.blockedSubmit(),
                        times.callerRunTime(),
                        times.idle().plusNanos((begin.size() - begin.active()) * nanos())))
                .build();
    }
}
