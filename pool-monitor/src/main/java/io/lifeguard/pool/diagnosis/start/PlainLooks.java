package io.lifeguard.pool.diagnosis.start;

import java.util.concurrent.TimeUnit;

/**
 * What the looks at a pool have seen of one plain reason why its workers are busy while tasks wait. Confined to the
 * triage's thread. Times are by {@link System#nanoTime}.
 */
final class PlainLooks {

    /** What most of the workers do, as far as their states tell. */
    enum Reason {
        /** They queue for one lock, or for permits of one semaphore. */
        LINE,
        /** They wait for something else, or sleep. */
        WAIT,
        /** To the JVM they run. Where the process hardly uses a CPU, they are in calls. */
        RUN
    }

    /** Looks in a row, over two seconds: what each of them has seen is certain. */
    private static final int SURE_LOOKS = 10;

    private static final long SURE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Where no task ends for two seconds, none may ever end, which the monitor has to explain. */
    private static final long TASK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Since the first look at the reason: what can be said is said by then, and the start of a program is over. */
    private static final long WITHOUT_MONITOR_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The same once the cause is said: the monitor can only add what it costs, and a size. */
    private static final long SAID_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A reason that was said, and was not seen for a second, may be over. */
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A task more is a kilobyte more, as the finding {@code queue-growing} guesses. */
    private static final int MOST_GROWN = 1_000;

    /** Looks at stacks that show no reason: after so many the monitor starts. */
    private static final int MOST_UNEXPLAINED = 3;

    /** As for the finding {@code blocked-on-io}: a queue that is empty in half a minute is a burst. */
    private static final double DRAIN_SECONDS = 30;

    private Reason reason = Reason.RUN;
    private int looks; // in a row, at the same reason
    private long begun; // the first look in a row at any reason
    private long since; // the first of those at the same reason
    private long last; // the latest of them
    private long endedBefore; // tasks until the first one
    private long ended; // tasks since then
    private long endedNanos; // when a task was last seen to have ended, or the first look
    private int queuedBefore; // at the first look
    private int queued; // at the latest one
    private boolean isExplained; // by a look at stacks
    private int unexplained; // looks at stacks since the first look
    private boolean isSaid; // from false to true
    private long patienceNanos = WITHOUT_MONITOR_NANOS;

    /** Notes a look that saw the reason. */
    void saw(Reason what, long now, long endedTasks, int queuedTasks) {
        if (isSaid && looks > 0 && what != reason) {
            sawNone(now);
            return;
        }
        if (looks == 0) {
            begun = now;
            unexplained = 0;
        }
        if (looks == 0 || what != reason) {
            reason = what;
            isExplained = false;
            looks = 0;
            since = now;
            endedBefore = endedTasks;
            ended = 0;
            endedNanos = now;
            queuedBefore = queuedTasks;
        }
        looks++;
        last = now;
        endedNanos = endedTasks - endedBefore > ended ? now : endedNanos;
        ended = endedTasks - endedBefore;
        queued = queuedTasks;
    }

    /** Notes a look that saw none. */
    void sawNone(long now) {
        if (!isSaid || now - last >= GONE_NANOS) {
            looks = 0;
        }
    }

    Reason reason() {
        return reason;
    }

    /**
     * Notes what a look at stacks shows. A worker or two may be between two waits.
     *
     * @return whether it shows the reason, or may do so at the next look
     */
    boolean notedStacks(boolean showIt) {
        isExplained |= showIt;
        unexplained += isExplained ? 0 : 1;
        return unexplained < MOST_UNEXPLAINED;
    }

    boolean isExplained() {
        return isExplained;
    }

    /**
     * Notes that it is said.
     *
     * @param why whether that says why the pool is full, so that the monitor can only add what it costs
     */
    void said(boolean why) {
        isSaid = true;
        patienceNanos = why ? SAID_NANOS : WITHOUT_MONITOR_NANOS;
    }

    boolean isSaid() {
        return isSaid;
    }

    /** {@return whether the monitor can wait, because the latest looks saw one reason, and tasks that end} */
    boolean arePlain(long now) {
        return looks > 0
                && now - begun < patienceNanos
                && now - endedNanos <= TASK_NANOS
                && queued - queuedBefore <= MOST_GROWN;
    }

    /** {@return whether the reason surely holds up the pool; a queue of sleepers or of calls that drains is well} */
    boolean areCertain(long now) {
        double seconds = (now - since) / 1e9;
        int shrunk = queuedBefore - queued;
        boolean drains = reason != Reason.LINE
                && shrunk > 2 * Math.sqrt(2.0 * ended)
                && queued < shrunk / seconds * DRAIN_SECONDS;
        return ended > 0 && looks >= SURE_LOOKS && now - since >= SURE_NANOS && !drains;
    }
}
