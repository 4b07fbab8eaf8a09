package io.lifeguard.pool.soak;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.RejectionReason;
import java.util.Map;

/**
 * Compares a pool's snapshot, taken at rest, with the books of its tasks. Used once.
 *
 * <p>The identities: submitted = completed + removed, where removed are the tasks that {@code remove}, {@code purge},
 * {@code shutdownNow} or the discard-oldest policy took out; each distribution has as many values as there were tasks;
 * and every refusal that a submitter met is one the pool counted. Only {@code purge} does not say how many tasks it
 * took: no more than were cancelled. Of the tasks that were queued though {@code execute} threw (the JDK's corner), a
 * pool with a queue that is not ours may miss those that a worker took before the pool could look. And where a policy
 * may drop such a task without a word, the books know only that its submitter got an exception: the pool, which took
 * and dropped it, knows better.
 */
final class Audit {

    private final PoolSnapshot snapshot;
    private final Tally tally;
    private final boolean silent;
    private final StringBuilder wrong = new StringBuilder();

    Audit(PoolSnapshot snapshot, Tally tally, boolean silent) {
        this.snapshot = snapshot;
        this.tally = tally;
        this.silent = silent;
    }

    /** Returns what does not agree; empty when all does. */
    String run(long completed, boolean queueOfOurs) {
        Map<RejectionReason, Long> rejections = snapshot.saturation().rejections();
        long oldest = rejections.getOrDefault(RejectionReason.DISCARDED_OLDEST, 0L);
        long refused = rejections.values().stream().mapToLong(Long::longValue).sum() - oldest;
        long refusedSilently = silent ? refused : 0;

        equal("completed", completed, snapshot.completed());
        equal("queued", 0, snapshot.queued());
        equal("blocked now", 0, snapshot.saturation().blockedNow());
        long accepted = tally.ran + tally.removed + tally.returned + tally.cancelled + tally.dropped - refusedSilently;
        long maybeUnseen = queueOfOurs ? 0 : tally.factoryFailedButQueued;
        long maybeDropped = silent ? tally.factoryFailed : 0;
        between("submitted", accepted - maybeUnseen, snapshot.submitted(), accepted + maybeDropped);
        between(
                "removed by purge",
                -maybeUnseen,
                snapshot.submitted() - completed - tally.removed - tally.returned - oldest,
                tally.cancelled);
        equal(
                "run inline",
                tally.ranInline,
                snapshot.callerRuns() + snapshot.saturation().workerRuns());
        equal("failed", tally.failedRuns, snapshot.failed());
        if (silent) {
            equal("refused with an exception", 0, tally.rejected);
            between("dropped", tally.dropped, refused + oldest, tally.dropped + tally.cancelled + maybeDropped);
        } else {
            equal("refused", tally.rejected, refused);
        }
        equal("service times", completed, snapshot.serviceTime().count());
        equal(
                "tasks by kind",
                completed,
                snapshot.kinds().stream()
                        .mapToLong(PoolSnapshot.TaskKind::count)
                        .sum());
        if (queueOfOurs) {
            equal("queue waits", completed, snapshot.queueWait().count());
        }
        return wrong.toString();
    }

    private void equal(String what, long expected, long actual) {
        between(what, expected, actual, expected);
    }

    private void between(String what, long least, long actual, long most) {
        if (actual < least || actual > most) {
            wrong.append(what).append(": ").append(actual).append(", not ").append(least);
            wrong.append(least == most ? "" : ".." + most).append("; ");
        }
    }
}
