package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A removal of the second of two tasks races with a drain and a consumer. Each task goes to exactly one of them. */
@JCStressTest
@Outcome(id = "1, 1, 0, 0", expect = ACCEPTABLE, desc = "one by the consumer, one removed")
@Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "one by the consumer, one drained")
@Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "one removed, one drained")
@Outcome(id = "0, 0, 2, 0", expect = ACCEPTABLE, desc = "both drained")
@Outcome(expect = FORBIDDEN, desc = "lost or doubled")
@State
public class RemoveDrainOrTake {
    private static final Task A = new Task("a");
    private static final Runnable B = new Runnable() {
        @Override
        public void run() {}
    };

    private final WorkQueue queue = Queues.ofCapacity(2);

    public RemoveDrainOrTake() {
        queue.add(A);
        queue.add(B);
    }

    @Actor
    public void consumer(IIII_Result r) {
        r.r1 = queue.poll() == null ? 0 : 1;
    }

    @Actor
    public void remover(IIII_Result r) {
        r.r2 = queue.remove(B) ? 1 : 0;
    }

    @Actor
    public void drainer(IIII_Result r) {
        List<Runnable> drained = new ArrayList<>();
        r.r3 = queue.drainTo(drained);
    }

    @Arbiter
    public void rest(IIII_Result r) {
        r.r4 = queue.size();
    }
}
