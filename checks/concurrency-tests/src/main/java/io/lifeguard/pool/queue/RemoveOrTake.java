package io.lifeguard.pool.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lifeguard.pool.queue.Queues.Task;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A task is removed while a consumer takes. It goes to exactly one of them, and its neighbour goes to the consumer. */
@JCStressTest
@Outcome(id = "a, true, \\[\\]", expect = ACCEPTABLE, desc = "each got one")
@Outcome(id = "a, false, \\[\\]", expect = ACCEPTABLE, desc = "the consumer got both")
@Outcome(expect = FORBIDDEN, desc = "lost or doubled")
@State
public class RemoveOrTake {
    private static final Task A = new Task("a");
    private static final Task B = new Task("b");

    private final WorkQueue queue = Queues.ofCapacity(2);
    private boolean both;

    public RemoveOrTake() {
        queue.add(A);
        queue.add(B);
    }

    @Actor
    public void consumer(LLL_Result r) {
        r.r1 = queue.poll();
        both = queue.poll() != null;
    }

    @Actor
    public void remover(LLL_Result r) {
        r.r2 = queue.remove(B);
    }

    @Arbiter
    public void rest(LLL_Result r) {
        // Both taken and removed, or neither.
        r.r3 = both == (boolean) r.r2 ? "B is lost or doubled" : queue.toString();
    }
}
