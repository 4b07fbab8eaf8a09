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
 * A worker meets a new kind of task while a reader asks for its kind. The name is stored before the number. Processors
 * that keep stores in order, as x86 does, show only what a compiler does wrong.
 */
@JCStressTest
@Outcome(
        id = {"\\(other\\)", "new"},
        expect = ACCEPTABLE,
        desc = "the kind before, or the new one")
@Outcome(expect = FORBIDDEN, desc = "a number without a name")
@State
public class KindHasItsName {
    private final WorkerRecorder recorder =
            new WorkerRecorder(new KindTable(), CpuClock.none(), new SplittableRandom(1));

    @Actor
    public void worker() {
        recorder.retarget("new");
    }

    @Actor
    public void reader(L_Result r) {
        r.r1 = recorder.currentKind();
    }
}
