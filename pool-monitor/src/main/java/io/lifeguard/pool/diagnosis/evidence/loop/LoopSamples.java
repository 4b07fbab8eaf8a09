package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Recorder;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Records what single event loops do, as samples of workers of their group. Confined to the monitor's thread.
 *
 * <p>A look that shows the same as the look before is recorded again only before the earlier sample ends.
 */
final class LoopSamples {

    /** A fifth before the sample ends, because looks are a second apart. */
    private static final long REFRESH_NANOS = WorkerSample.HOLDS_NANOS / 5 * 4;

    private final Recorder recorder;
    private final Map<EventLoopWatch, WorkerSample> latest = new WeakHashMap<>();

    LoopSamples(Recorder recorder) {
        this.recorder = recorder;
    }

    void looked(String group, EventLoopWatch loop, LoopMoment moment) {
        Optional<Lock> lock = moment.lock();
        WorkerSample now = new WorkerSample(
                recorder.epochNanos(moment.look().nanos()),
                group,
                loop.name(),
                moment.doing(),
                moment.place(),
                lock.map(Lock::name).orElse(""),
                lock.flatMap(Lock::owner).orElse(""));
        WorkerSample before = latest.get(loop);
        if (before == null || !isSame(before, now) || now.startNanos() - before.startNanos() >= REFRESH_NANOS) {
            latest.put(loop, now);
            recorder.record(now);
        }
    }

    private static boolean isSame(WorkerSample one, WorkerSample other) {
        return one.doing() == other.doing()
                && one.place().equals(other.place())
                && one.awaited().equals(other.awaited())
                && one.holder().equals(other.holder());
    }
}
