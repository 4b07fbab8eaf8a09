package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.evidence.DumpEvidence.Worker;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Collects what was seen of pools from outside, as a report draws it: looks at workers, windows and findings. One
 * thread adds, and any thread may read. Keeps the latest 500,000 observations.
 */
public final class Picture implements FindingListener {

    private static final int MOST = 500_000;

    /** A fifth before a look no longer holds. */
    private static final long REFRESH_NANOS = WorkerSample.HOLDS_NANOS / 5 * 4;

    private final FindingListener listener;
    private final Deque<Observation> observations = new ArrayDeque<>();
    private final Map<List<String>, WorkerSample> latest = new HashMap<>(); // by pool and thread
    private long now; // nanoseconds since 1970

    /** Makes an empty picture. */
    public Picture(FindingListener listener) {
        this.listener = listener;
    }

    /** {@return the observations in the order in which they were made} */
    public synchronized List<Observation> observations() {
        return List.copyOf(observations);
    }

    /**
     * Sets the time of what follows.
     *
     * @param nanos nanoseconds since 1970
     */
    public void now(long nanos) {
        now = nanos;
    }

    private synchronized void add(Observation observation) {
        if (observations.size() == MOST) {
            observations.removeFirst();
        }
        observations.addLast(observation);
    }

    void look(String pool, Worker worker) {
        boolean isIdle = worker.doing() == Doing.IDLE;
        WorkerSample sample = new WorkerSample(
                now,
                pool,
                worker.thread(),
                worker.doing(),
                isIdle ? "" : UserFrames.place(worker.stack()),
                worker.doing().isWaitInside() ? awaited(worker) : "",
                worker.lock().flatMap(Awaited.Lock::owner).orElse(""));
        WorkerSample before = latest.get(List.of(pool, worker.thread()));
        if (before == null || now - before.startNanos() >= REFRESH_NANOS || !isSame(before, sample)) {
            latest.put(List.of(pool, worker.thread()), sample);
            add(sample);
        }
    }

    private static String awaited(Worker worker) {
        return worker.doing() == Doing.WAITING_FOR_RESULT
                ? worker.result().pool().orElse("")
                : worker.object();
    }

    private static boolean isSame(WorkerSample one, WorkerSample other) {
        return one.doing() == other.doing()
                && one.place().equals(other.place())
                && one.awaited().equals(other.awaited())
                && one.holder().equals(other.holder());
    }

    void window(PoolWindow window) {
        long length = window.length().toNanos();
        PoolSnapshot after = window.after();
        add(new WindowSummary(
                Observation.nanos(window.end()) - length,
                length,
                window.pool(),
                new Load(
                        after.size(),
                        after.active(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        after.countsQueue() ? OptionalInt.of(after.queued()) : OptionalInt.empty(),
                        OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                WindowSummary.shares(window.breakdown()),
                window.bottleneck().name(),
                Observation.Process.of(window.process(), OptionalDouble.empty()),
                Optional.empty(),
                ""));
    }

    @Override
    public void raised(Finding finding) {
        add(change(finding, Change.RAISED, ""));
        listener.raised(finding);
    }

    @Override
    public void updated(Finding finding) {
        add(change(finding, Change.UPDATED, ""));
        listener.updated(finding);
    }

    @Override
    public void escalated(Finding finding) {
        add(change(finding, Change.UPDATED, ""));
        listener.escalated(finding);
    }

    @Override
    public void resolved(Finding finding) {
        add(change(finding, Change.RESOLVED, ""));
        listener.resolved(finding);
    }

    @Override
    public void ended(Finding finding, String why) {
        add(change(finding, Change.ENDED, why));
        listener.ended(finding, why);
    }

    private FindingChange change(Finding finding, Change change, String why) {
        return FindingChange.of(
                now,
                change,
                why,
                finding.pool(),
                finding.id(),
                finding.severity(),
                finding.since(),
                finding.summary(),
                finding.advice(),
                finding.evidence(),
                finding.recommendedSize());
    }
}
