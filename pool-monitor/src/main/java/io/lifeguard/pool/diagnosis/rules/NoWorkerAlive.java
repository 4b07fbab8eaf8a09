package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;

/**
 * Finds pools without a worker while tasks are queued or submitters wait for room. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The executor counts no worker, nothing was completed, and tasks are queued or submitters wait, at
 * the beginning and at the end of every window. The cause does not matter: a thread factory that throws or returns
 * null, a limit of the system on threads, or Errors that ended the workers.
 *
 * <p><b>Window.</b> As many as the threshold has seconds.
 *
 * <p><b>Thresholds.</b> 3 s, in which a pool tries 150 times to start a worker for a submitter that waits. A thread
 * starts in a millisecond, and in a second on a machine that swaps: judgement.
 *
 * <p><b>Closest healthy workload.</b> A pool whose thread factory takes a second for the first thread, while others
 * submit.
 */
public final class NoWorkerAlive extends StandardRule {

    static final String ID = "no-worker-alive";

    static final Threshold SECONDS = new Threshold(
            ID + ".seconds", 3, "seconds for which tasks have waited without a worker; a thread starts in less");

    public NoWorkerAlive() {
        super(ID, SECONDS);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (latest.after().size() > 0 || latest.state() == PoolState.TERMINATED) {
            return Verdict.clear();
        }
        if (!latest.countsQueue()) {
            return UNKNOWN_QUEUE;
        }
        double seconds = 0;
        for (PoolWindow window : latest.parts(latest.windows())) {
            if (!standsStill(window)) {
                break;
            }
            seconds += window.seconds();
        }
        return PoolWindow.lasts(seconds, latest.threshold(SECONDS))
                ? Verdict.found(finding(latest, seconds))
                : Verdict.clear();
    }

    private static boolean standsStill(PoolWindow window) {
        return window.countsQueue()
                && window.before().size() == 0
                && window.after().size() == 0
                && window.completed() == 0
                && waiting(
                                window.before().queued(),
                                window.before().saturation().blockedNow())
                        > 0
                && waiting(window.after().queued(), window.after().saturation().blockedNow()) > 0;
    }

    private static long waiting(long queued, long blocked) {
        return queued + blocked;
    }

    private static Finding finding(PoolWindow window, double seconds) {
        int queued = window.after().queued();
        int blocked = window.after().saturation().blockedNow();
        return Finding.of(ID, window)
                .severity(Severity.CRITICAL)
                .summary(
                        "the pool has no worker: %s, %s, and nothing has run for %s",
                        Counted.of(queued, "task is queued", "tasks are queued"),
                        Counted.of(blocked, "submitter waits for room", "submitters wait for room"),
                        Units.time(seconds))
                .advice("Look for what ended the workers and keeps new ones from starting: a thread factory that"
                        + " throws or returns null, an OutOfMemoryError, or a limit on threads (ulimit -u, the"
                        + " container's pids limit). Each submission asks the factory again.")
                .evidence("queued", queued)
                .evidence("waitingSubmitters", blocked)
                .evidence("maximumSize", window.after().limits().maximumSize())
                .evidence("secondsWithoutWorker", seconds)
                .build();
    }
}
