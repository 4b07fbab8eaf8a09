package io.lifeguard.pool.measure;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.SplittableRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A task fails while a reader adds up what its worker has recorded. The reader loads in the reverse order of the
 * stores. Processors that keep both in order, as x86 does, show only what a compiler does wrong.
 */
@JCStressTest
@Outcome(id = "in order", expect = ACCEPTABLE, desc = "each stage was reached by no more tasks than the one before")
@Outcome(expect = FORBIDDEN, desc = "more failed than ended, or more ended than begun")
@State
public class EndedTaskHasBegun {
    private static final long LASTED_NANOS = 5;

    private final WorkerRecorder recorder =
            new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(1));

    private long now = 2; // so that no task was enqueued at -1, which stands for unknown

    public EndedTaskHasBegun() {
        for (int i = 0; i < 4; i++) { // the CPU clock is read after most of the first tasks, so they cannot be left
            task(false);
        }
    }

    @Actor
    public void worker() {
        task(false);
        task(true);
    }

    private void task(boolean fails) {
        recorder.begin(now, now - 1, null);
        now += LASTED_NANOS;
        if (fails || !recorder.leave(now)) {
            recorder.end(now, fails);
        }
    }

    @Actor
    public void reader(L_Result r) {
        long[] kinds = new long[KindCounts.FIRST_ROWS * KindCounts.WIDTH];
        long failed = recorder.failed();
        recorder.kinds.addTo(kinds);
        long ofKind = kinds[KindCounts.COUNT];
        long wall = kinds[KindCounts.WALL];
        long ended = recorder.service.count();
        long waited = recorder.queueWait.count();
        long begun = recorder.begun();
        boolean isInOrder = failed <= ofKind
                && ofKind * LASTED_NANOS <= wall
                && ofKind <= ended
                && ended <= waited
                && waited <= begun;
        r.r1 = isInOrder
                ? "in order"
                : failed + ", " + ofKind + ", " + wall + ", " + ended + ", " + waited + ", " + begun;
    }
}
