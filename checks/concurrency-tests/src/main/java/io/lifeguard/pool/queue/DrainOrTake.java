package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import java.util.ArrayList;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A queue is drained while a consumer takes. Each task goes to exactly one of them. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each got one")
@Outcome(id = "0, 2, 0", expect = ACCEPTABLE, desc = "all drained")
@Outcome(id = "2, 0, 0", expect = ACCEPTABLE, desc = "all taken")
@Outcome(expect = FORBIDDEN, desc = "lost or doubled")
@State
public class DrainOrTake {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(2);

    public DrainOrTake() {
        queue.add(A);
        queue.add(B);
    }

    @Actor
    public void consumer(III_Result r) {
        r.r1 = (queue.poll() == null ? 0 : 1) + (queue.poll() == null ? 0 : 1);
    }

    @Actor
    public void drainer(III_Result r) {
        r.r2 = queue.drainTo(new ArrayList<>());
    }

    @Arbiter
    public void rest(III_Result r) {
        r.r3 = queue.size();
    }
}
