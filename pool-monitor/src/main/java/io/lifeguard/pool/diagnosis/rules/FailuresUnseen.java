package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.Unseen;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.List;

/**
 * Finds tasks that failed with an exception that no code has seen. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Certain: the future of a failed task was collected before any code asked it; or a periodic task
 * threw, which ends it forever, and none of its kind was scheduled since. Probable: no code has asked the future for so
 * long.
 *
 * <p><b>Window.</b> The latest minute for futures that were collected, because that is known only when the collector
 * has run. Pauses of the collector right before it are included. What has stopped or waits is counted as it is now.
 *
 * <p><b>Thresholds.</b> After 120 s an unasked failure is probably forgotten: twice what a task may run before it
 * counts as stuck, so that code which collects results at the end of a batch is not blamed.
 *
 * <p><b>Closest healthy workload.</b> Tasks that fail and whose futures are asked, at once or in the end; tasks given
 * to {@code execute}, whose exceptions reach the thread's handler; a periodic task that failed and was scheduled again.
 */
public final class FailuresUnseen extends StandardRule {

    static final String ID = "failures-unseen";

    static final Threshold PATIENCE = new Threshold(
            ID + ".patience",
            120,
            "seconds after which a failure that no code asked for is probably forgotten; a judgement");

    private static final Duration RECENT = Duration.ofSeconds(60);

    public FailuresUnseen() {
        super(ID, PATIENCE);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured() && latest.after().unseenFailures().isEmpty()) {
            return hadStopped(latest) ? Verdict.clear() : UNMEASURED; // the task is scheduled again
        }
        PoolWindow window = latest.last(RECENT);
        List<Unseen> before = window.failuresBefore();
        long lost = 0;
        long stopped = 0;
        long forgotten = 0;
        Unseen worst = null;
        long most = 0;
        for (Unseen some : window.after().unseenFailures()) {
            long newlyLost = some.lost() - lostBefore(before, some);
            long patient = some.oldestWaiting().toNanos() / 1e9 >= window.threshold(PATIENCE) ? some.waiting() : 0;
            lost += newlyLost;
            stopped += some.stopped();
            forgotten += patient;
            long count = newlyLost
                    + some.stopped() * 1000
                    + patient; // what never runs again is worth more than any number of single tasks
            if (count > most) {
                most = count;
                worst = some;
            }
        }
        return worst == null
                ? Verdict.clear()
                : Verdict.found(finding(latest, window, new Counts(lost, stopped, forgotten), worst));
    }

    /** Of a pool watched from outside: a finding is over only after several clear windows. */
    private static boolean hadStopped(PoolWindow latest) {
        return latest.parts(PoolWindow.HISTORY).stream()
                .anyMatch(window -> !window.failuresBefore().isEmpty());
    }

    private static long lostBefore(List<Unseen> before, Unseen now) {
        return before.stream()
                .filter(then ->
                        then.kind().equals(now.kind()) && then.exception().equals(now.exception()))
                .mapToLong(Unseen::lost)
                .sum();
    }

    private static Finding finding(PoolWindow latest, PoolWindow window, Counts counts, Unseen worst) {
        String what = worst.kind() + " failed with " + worst.exception();
        boolean isAllKnown = counts.lost >= window.failed(); // of a flood of failures only the first are followed
        Finding.Builder finding = Finding.of(ID, latest)
                .severity(counts.lost + counts.stopped > 0 ? Severity.WARNING : Severity.INFO)
                .evidence("kind", worst.kind())
                .evidence("exception", worst.exception())
                .evidence("futuresCollectedUnasked", counts.lost)
                .evidence("periodicTasksStopped", counts.stopped)
                .evidence("futuresNotAskedForLong", counts.forgotten)
                .evidence("failed", window.failed())
                .evidence("completed", window.completed());
        if (counts.stopped > 0) {
            finding.summary(
                            "%s stopped forever because a run threw an exception that no code has seen: %s",
                            Counted.of(counts.stopped, "periodic task has", "periodic tasks have"), what)
                    .advice("Catch and log inside the periodic task, so that the next run takes place; then schedule"
                            + " it again.");
        } else if (counts.lost > 0) {
            finding.summary(
                            "%s%s thrown away unseen in the last %s%s: no code asked for the result of the task, for"
                                    + " instance %s",
                            isAllKnown ? "" : "at least ",
                            Counted.of(counts.lost, "failed result was", "failed results were"),
                            Units.time(window.length()),
                            isAllKnown
                                    ? ""
                                    : ", in which " + Counted.of(window.failed(), "task failed", "tasks failed"),
                            what)
                    .advice("Ask the future (get), or give the task to execute instead of submit, so that its"
                            + " exception reaches the thread's handler, or catch and log inside the task.");
        } else {
            finding.summary(
                            "%s probably been forgotten: no code has asked %s for %s, for instance %s",
                            Counted.of(counts.forgotten, "failed task has", "failed tasks have"),
                            counts.forgotten == 1 ? "its future" : "their futures",
                            Units.time(worst.oldestWaiting()),
                            what)
                    .advice("Ask the futures sooner, or catch and log inside the task; if they are asked in the end,"
                            + " nothing is wrong.");
        }
        return finding.build();
    }

    private record Counts(long lost, long stopped, long forgotten) {}
}
