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

/** A removal meets a consumer and a drain. Each task comes out exactly once. */
@JCStressTest
@Outcome(id = "1, 1, 0, 0", expect = ACCEPTABLE, desc = "one by the consumer, one removed")
@Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "one by the consumer, one drained")
@Outcome(expect = FORBIDDEN, desc = "lost or doubled")
@State
public class RemoveOrPollAndDrain {
    private static final Task A = new Task("a");
    private static final Runnable B = new Runnable() {
        @Override
        public void run() {}
    };

    private final WorkQueue queue = Queues.ofCapacity(2);

    public RemoveOrPollAndDrain() {
        queue.add(A);
        queue.add(B);
    }

    @Actor
    public void remover(IIII_Result r) {
        r.r1 = queue.remove(B) ? 1 : 0;
    }

    @Actor
    public void drainer(IIII_Result r) {
        List<Runnable> drained = new ArrayList<>();
        r.r2 = queue.poll() == null ? 0 : 1;
        r.r3 = queue.drainTo(drained);
    }

    @Arbiter
    public void rest(IIII_Result r) {
        r.r4 = queue.size();
    }
}
