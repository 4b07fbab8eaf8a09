package io.lifeguard.pool.diagnosis.attention;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How closely one pool is looked at: fully, with long windows, or not at all. Confined to the monitor's thread.
 *
 * <table>
 * <caption>What is read of a pool, and how often</caption>
 * <tr><th>State</th><th>Read</th><th>How often</th><th>What ends it</th></tr>
 * <tr><td>full</td><td>states of all workers and stacks of some; then a snapshot, and all rules</td><td>twenty times a
 *     window; once a window, see {@link RoundPace}</td><td>a window in which nothing happened, or little</td></tr>
 * <tr><td>light: no task waits, and under a quarter of the workers are busy</td><td>the same</td><td>twenty times a
 *     window; once in {@value #LIGHT_ROUNDS} windows</td><td>a task that waits, more busy workers, a suspicion</td></tr>
 * <tr><td>asleep: nothing happened</td><td>two numbers and the head of the queue; then a snapshot</td><td>four times a
 *     window; after 5 s</td><td>a task, a worker that comes or goes</td></tr>
 * <tr><td>undecided: the next windows decide about a finding</td><td>as full</td><td>windows of 250 ms, as in a pool's
 *     first ten seconds</td><td>the finding is raised or dropped</td></tr>
 * <tr><td>starved: the monitor's thread gets too little CPU time, see {@link Starvation}</td><td>states; snapshots; rules
 *     about pools in turn</td><td>windows are long</td><td>a round in time</td></tr>
 * </table>
 *
 * <p>A pool is light or asleep only while nothing is suspected of it. What a window costs, it costs for a pool of any
 * load: with 20 pools of 50 workers, most of what the monitor uses.
 *
 * <p>A task that was accepted ends sleep, whether it is queued, runs or has ended, and so does a worker that came or
 * went. A submitter waits for room, and a task is rejected, only after others were accepted, but for a thread factory
 * that refuses: that is seen with the next window. Only instrumented {@link ThreadPoolExecutor}s sleep, and executors
 * with a thread per task: what is cheap to read of others does not tell enough. An executor with a thread per task
 * sleeps while its tasks go on, too, because thousands of them may wait for hours. What they wait for is looked at
 * elsewhere.
 */
public final class Attention {

    /** 5 s: the live page shows what a worker did for as long. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** 4 s with usual windows: a finding about a pool in which nothing waits may come so much later. */
    private static final int LIGHT_ROUNDS = 4;

    /** From a quarter of the workers on, a pool may soon be full. */
    private static final double LIGHT = 0.25;

    private int left; // rounds over which the window may still go on, because the pool has little to do
    private boolean sleeps;
    private long tasks; // accepted when the latest window ended
    private int workers; // at that moment
    private long beganNanos;
    private long seenNanos; // when it was last seen asleep
    private int moments; // of the present window

    /** Reads what a later {@link #begin} compares with. Called before the snapshot, so that nothing gets lost. */
    public void read(@Nullable Object executor) {
        sleeps = false;
        seenNanos = beganNanos;
        if (executor instanceof ThreadPoolExecutor jdk) {
            tasks = jdk.getTaskCount();
            workers = jdk.getPoolSize();
        }
    }

    /** Begins at the end of a window in which nothing happened. */
    public void begin(@Nullable Object executor, PoolSnapshot before, PoolSnapshot after) {
        sleeps = hasThreadPerTask(executor) ? isSame(before, after) : isIdle(executor, before, after);
        if (!(executor instanceof ThreadPoolExecutor)) {
            tasks = after.counts().submitted();
            workers = (int) Math.min(Integer.MAX_VALUE, tasks - after.counts().completed());
        }
        beganNanos = after.nanoTime();
        seenNanos = beganNanos;
        moments = 0;
    }

    public static boolean hasThreadPerTask(@Nullable Object executor) {
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

    public boolean sleeps() {
        return sleeps;
    }

    /** Looks whether something has happened. {@return whether it still sleeps} */
    public boolean lasts(@Nullable Object executor) {
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
    private static boolean hasNothingToRun(BlockingQueue<Runnable> queue) {
        Runnable next = queue.peek();
        return next == null || (next instanceof Delayed delayed && delayed.getDelay(TimeUnit.NANOSECONDS) > 0);
    }

    /** A moment has come at which workers would be looked at. {@return how many came since the latest round} */
    public int moment() {
        return ++moments;
    }

    /** {@return how many moments of the present window were slept through} */
    public int moments() {
        return moments;
    }

    /** A round has been made, and it still sleeps. */
    public void sleepsOn() {
        moments = 0;
    }

    /** {@return whether it is time for a window although nothing has happened} */
    public boolean isLong() {
        return System.nanoTime() - beganNanos >= LONGEST_SLEEP_NANOS;
    }

    /** {@return how long it slept, in nanoseconds; 0 when it did not} */
    public long nanos() {
        return seenNanos - beganNanos;
    }

    /** {@return the snapshot that would have been taken when it was last seen asleep} */
    public PoolSnapshot end(PoolSnapshot begin) {
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

    /**
     * A window was closed.
     *
     * @param mayBeLight whether the next one may be long: nothing is suspected
     */
    public void closed(PoolWindow window, boolean mayBeLight) {
        boolean isLight = mayBeLight
                && !sleeps
                && hasNoneWaiting(window.before())
                && hasNoneWaiting(window.after())
                && window.rejected() + window.callerRuns() + window.failed() == 0
                && window.utilisation() < LIGHT;
        left = isLight ? LIGHT_ROUNDS - 1 : 0;
    }

    private static boolean hasNoneWaiting(PoolSnapshot snapshot) {
        return snapshot.queued() + snapshot.saturation().blockedNow() == 0;
    }

    /**
     * A round is made. {@return whether the window goes on, because the pool still has little to do}
     *
     * @param working how many workers had a task when they were last looked at
     */
    public boolean staysLight(@Nullable Object executor, int working) {
        boolean goesOn = left > 0
                && executor instanceof ThreadPoolExecutor jdk
                && hasNothingToRun(jdk.getQueue())
                && working < LIGHT * jdk.getPoolSize();
        left = goesOn ? left - 1 : 0;
        return goesOn;
    }
}
