package io.lifeguard.pool.diagnosis.start;

import java.util.concurrent.TimeUnit;

/**
 * What the looks at a pool have seen of one lock at which most of its workers queue while tasks wait. Confined to the
 * triage's thread. Times are by {@link System#nanoTime}.
 */
final class LockLooks {

    /** Looks in a row, over two seconds: what each of them has seen is certain. */
    private static final int SURE_LOOKS = 10;

    private static final long SURE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Where no task ends for two seconds, the lock may never be given back, which the monitor has to explain. */
    private static final long TASK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Since the first look at the lock: what can be said is said by then, and the start of a program is over. */
    private static final long WITHOUT_MONITOR_NANOS = TimeUnit.SECONDS.toNanos(5);

    private int looks; // in a row
    private long since; // the first of them
    private long endedBefore; // tasks until then
    private long ended; // tasks since then

    /** Notes a look that saw the lock. */
    void saw(long now, long endedTasks) {
        if (looks == 0) {
            since = now;
            endedBefore = endedTasks;
        }
        looks++;
        ended = endedTasks - endedBefore;
    }

    /** Notes a look that did not see it. */
    void sawNone() {
        looks = 0;
    }

    /** {@return whether the monitor can wait, because the latest look saw a lock that is given back} */
    boolean arePlain(long now) {
        long nanos = now - since;
        return looks > 0 && nanos < WITHOUT_MONITOR_NANOS && nanos <= (ended + 1) * TASK_NANOS;
    }

    /** {@return whether the lock surely holds up the pool, and is given back} */
    boolean areCertain(long now) {
        return ended > 0 && looks >= SURE_LOOKS && now - since >= SURE_NANOS;
    }
}
